#include "cubin/notes.h"
#include "driver/phases.h"

static bool
is_true(const char *value)
{
    return value && !strcmp(value, "true");
}

static uint32_t
merge_flags(const struct options *options)
{
    const struct {
        uint32_t flag;
        bool is_set;
    } flags[] = {
        {MERGE_PRESERVE_RELOCS, options->preserve_relocs},
        {MERGE_KEEP_ALL, options->debug || options->relocatable || options->preserve_relocs},
        {MERGE_FORCE_RELA, options->force_rela},
        {MERGE_RESERVE_NULL, options->reserve_null_pointer},
        {MERGE_NO_SMEM_RESERVATION, is_true(options->disable_smem_reservation)},
        {MERGE_ALLOW_UNDEFINED_GLOBALS, options->allow_undefined_globals},
        {MERGE_RELOCATABLE, options->relocatable},
        {MERGE_DEBUG, options->debug && !options->suppress_debug_info},
        {MERGE_DUMP_CALLGRAPH, options->dump_callgraph || options->dump_callgraph_raw},
        {MERGE_NO_STACK_WARNING, options->suppress_stack_warning},
        {MERGE_TRUST_INPUTS, options->trust_inputs},
    };
    uint32_t set = 0;

    for (size_t i = 0; i < COUNT_OF(flags); i++)
        set |= flags[i].is_set ? flags[i].flag : 0;
    return set;
}

static const char *
base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

/* The linker's own note stands before those of the inputs. */
static void
write_tool_note(culd_link *link, struct elfw *elfw)
{
    const struct options *options = &link->options;
    bool with_files = options->verbose_tkinfo ? is_true(options->verbose_tkinfo) : options->debug;
    struct tkinfo info = {
        .object = with_files ? base_name(options->output) : "",
        .tool = "culd",
        .version = arena_format(elfw->arena, "culd %s", culd_version()),
        .build = "",
        .options = options_record(elfw->arena, options, with_files),
    };

    if (options->identify_as) {
        info.tool = "nvlink";
        info.version = KNOWN_RELEASE;
        info.build = "Build cuda_13.0.r13.0/compiler.36424714_0";
    }
    if (options->tool_name)
        info.tool = options->tool_name;
    struct bytes note = tkinfo_write(elfw->arena, &info);
    elfw_append(elfw, elfw->tkinfo, note, note.size, 4);
}

struct elfw *
begin_output(culd_link *link)
{
    const struct options *options = &link->options;
    bool names_used = options->kernels_used.count || options->variables_used.count;
    struct elfw_settings settings = {&link->arch, merge_flags(options), NULL, link->api_version};

    link->kernel_filter =
        (struct kernel_filter){options->kernels_used.at, options->kernels_used.count};
    if (names_used)
        settings.kernels_used = &link->kernel_filter;
    struct elfw *elfw = elfw_create(&link->arena, &link->diag, &settings);

    write_tool_note(link, elfw);
    return elfw;
}
