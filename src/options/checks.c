#include "options/checks.h"

#include "base/file.h"
#include "cubin/notes.h"
#include "driver/measurements.h"
#include "driver/time_table.h"

#include <stdlib.h>

/* Of the toolkit whose nvlink is followed. */
enum { TOOLKIT_MAJOR = 13 };

void
set_messages(culd_link *link)
{
    const struct options *options = &link->options;

    link->tool_name = options->tool_name;
    if (options->report_arch && options->arch)
        link->diag.target_suffix = arena_format(&link->arena, " (target: %s)", options->arch);
    link->diag.warnings_are_errors = options->warnings_are_errors;
    link->diag.quiet = options->disable_infos;
}

/* Scripts look for the number of the toolkit, in the form that its tools give it. */
bool
wants_text(culd_link *link)
{
    const char *name = link->tool_name ? link->tool_name : "culd";

    if (link->options.help)
        link->text = options_help(&link->arena, name);
    else if (link->options.version)
        link->text = arena_format(&link->arena,
                                  "%s: CUDA device linker, version %s\n"
                                  "In place of nvlink of " KNOWN_RELEASE "\n",
                                  name, culd_version());
    return link->text;
}

static void
check_target(culd_link *link)
{
    const struct options *options = &link->options;
    bool has_inputs = options->inputs.count || link->memory_inputs.count;

    if (!options->arch)
        diag_fatal(&link->diag, "Unknown arch name '(null)'");
    link->target_kind = arch_parse(options->arch, &link->arch);
    if (!options->output && link->target_kind == ARCH_REAL && !link->memory_inputs.count)
        diag_fatal(&link->diag, "Must specify output file with -o option");
    if (!has_inputs)
        diag_fatal(&link->diag, "No input files specified; use option --help for more information");
}

static void
check_conflicts(culd_link *link)
{
    const struct options *options = &link->options;
    bool names_used = options->kernels_used.count || options->variables_used.count;

    if (options->suppress_debug_info && !options->debug)
        diag_fatal(&link->diag, "Conflicting options '-suppress-debug-info' and 'no -g'");
    if (options->dump_callgraph && options->dump_callgraph_raw)
        diag_fatal(&link->diag, "Conflicting options '-dump-callgraph' and "
                                "'-dump-callgraph-no-demangle'");
    if (options->use_host_info && options->ignore_host_info)
        diag_fatal(&link->diag, "Conflicting options '-use-host-info' and '-ignore-host-info'");
    if (options->use_host_info && names_used)
        diag_statistic(&link->diag, "ignore -use-host-info because -kernels-used or "
                                    "-variables-used is specified");
    if (link->target_kind == ARCH_LTO)
        diag_fatal(&link->diag,
                   "Link target of '%s' is virtual target that is not JIT-able; use 'sm_' target "
                   "instead",
                   link->arch.name);
}

static bool
is_compile_level(const char *level)
{
    return !strcmp(level, "0") || !strcmp(level, "min") || !strcmp(level, "mid") ||
           !strcmp(level, "max");
}

static void
check_link_time_options(culd_link *link)
{
    const struct options *options = &link->options;
    bool lto = options->link_time_opt || options->dlto;
    const char *threads = options->split_compile_extended;

    if (lto && !options->nvvm_path)
        diag_fatal(&link->diag, "-nvvmpath should be specified with -lto");
    if (options->emit_ptx && !lto)
        diag_fatal(&link->diag, "Conflicting options '-emit-ptx' and 'no -dlto'");
    if (options->emit_ptx && threads && strtoll(threads, NULL, 0) != 1)
        diag_statistic(&link->diag, "Incompatible options '-emit-ptx' and "
                                    "'-split-compile-extended', using '-split-compile'");
    if (options->ofast_compile && !lto)
        diag_fatal(&link->diag, "Conflicting options '--Ofast-compile' and 'no -dlto'");
    if (options->ofast_compile && !is_compile_level(options->ofast_compile))
        diag_fatal(&link->diag, "Invalid argument for option '--Ofast-compile'");
}

static void
check_preserved_relocations(culd_link *link)
{
    if (link->options.preserve_relocs && link->arch.generation->preserve_relocs_is_partial)
        diag_warning(&link->diag,
                     "Option '--preserve-relocs' is not fully implemented for gpu archtecture "
                     "'%s' and may not work as expected",
                     link->arch.name);
}

/* "13.0" is 130, as objects write it. */
static void
check_api_version(culd_link *link)
{
    const char *text = link->options.cuda_api_version;
    char *dot, *end;

    if (!text)
        return;
    long major = strtol(text, &dot, 10);
    bool is_read = dot != text && *dot == '.';
    long minor = is_read ? strtol(dot + 1, &end, 10) : 0;
    if (!is_read || end == dot + 1 || end[strspn(end, " \t\n\v\f\r")])
        diag_fatal(&link->diag, "--cuda-api-version value cannot be parsed");
    if (major != TOOLKIT_MAJOR)
        diag_fatal(&link->diag, "--cuda-api-version major number must be == toolkit version");
    link->api_version = (uint32_t)(TOOLKIT_MAJOR * 10ul + (unsigned long)minor);
}

static void
check_nvvm(culd_link *link)
{
    const struct options *options = &link->options;

    if ((options->link_time_opt || options->dlto) &&
        !file_exists(arena_format(&link->arena, "%s/lib64/libnvvm.so", options->nvvm_path)))
        diag_fatal(&link->diag, "elfLink linker library load error");
}

/* The format of such files is not known, and nvlink took none of those tried. */
static void
check_uidx_file(culd_link *link)
{
    const char *path = link->options.uidx_file;
    struct input_file file;

    if (!path)
        return;
    if (!file_read(path, &file))
        diag_fatal(&link->diag, "Could not open input file '%s'", path);
    bool is_empty = !file.bytes.size;
    file_release(&file);
    if (is_empty)
        diag_fatal(&link->diag, "Could not read file '%s'", path);
    diag_fatal(&link->diag, "Internal error: not uidx input");
}

void
check_options(culd_link *link)
{
    check_target(link);
    check_conflicts(link);
    check_link_time_options(link);
    check_preserved_relocations(link);
    check_api_version(link);
    time_table_begin(link);
    measurements_begin(link);
    check_nvvm(link);
    check_uidx_file(link);
}
