#include "options/options.h"

#include <stdlib.h>
#include <string.h>

/* nvlink has room for so many characters of these when it writes ptxas a command line. */
enum { LONGEST_REGISTER_COUNT = 3, LONGEST_API_VERSION = 4 };

static void
add(struct arena *arena, struct compiler_options *out, const char *name, const char *value)
{
    array_push(&out->list, arena, arena_format(arena, "-%s=%s", name, value));
}

/* Values that ask for what ptxas does anyway are not passed on. */
struct compiler_options
options_for_compiler(struct arena *arena, const struct options *options)
{
    struct compiler_options out = {0};
    bool limits_registers = options->max_registers && strtol(options->max_registers, NULL, 10) > 0;

    if (options->debug && !options->suppress_debug_info)
        array_push(&out.list, arena, "-g");
    for (uint32_t i = 0; i < options->xptxas.count; i++)
        array_push(&out.list, arena, options->xptxas.at[i]);
    if (limits_registers)
        add(arena, &out, "maxrregcount", options->max_registers);
    if (options->split_compile && strcmp(options->split_compile, "1") != 0)
        add(arena, &out, "split-compile", options->split_compile);
    if (options->device_stack_protector)
        add(arena, &out, "device-stack-protector", options->device_stack_protector);
    if (options->cuda_api_version)
        add(arena, &out, "-cuda-api-version", options->cuda_api_version);

    if (limits_registers && strlen(options->max_registers) > LONGEST_REGISTER_COUNT)
        out.refusal = "Invalid argument for option '-maxrregcount'";
    else if (options->cuda_api_version && strlen(options->cuda_api_version) > LONGEST_API_VERSION)
        out.refusal = "Invalid argument for option '-cuda-api-version'";
    return out;
}
