#include "option_checks.h"

#include "time_table.h"

bool
wants_text(culd_link *link)
{
    if (link->options.help)
        link->text = options_help(&link->arena);
    else if (link->options.version)
        link->text =
            arena_format(&link->arena, "culd: CUDA device linker, version %s\n", culd_version());
    return link->text;
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
    if (options->preserve_relocs && link->arch.generation->preserve_relocs_is_partial)
        diag_warning(&link->diag,
                     "Option '--preserve-relocs' is not fully implemented for gpu archtecture "
                     "'%s' and may not work as expected",
                     link->arch.name);
    time_table_begin(link);
}

void
check_options(culd_link *link)
{
    const struct options *options = &link->options;

    if (!options->arch)
        diag_fatal(&link->diag, "Unknown arch name '(null)'");
    enum arch_kind kind = arch_parse(options->arch, &link->arch);
    link->target_kind = kind;
    if (options->report_arch)
        link->diag.target_suffix = arena_format(&link->arena, " (target: %s)", link->arch.name);
    link->diag.warnings_are_errors = options->warnings_are_errors;
    link->diag.quiet = options->disable_infos;
    if (!options->output && kind != ARCH_VIRTUAL && !link->memory_inputs.count)
        diag_fatal(&link->diag, "Must specify output file with -o option");
    if (!options->inputs.count && !link->memory_inputs.count)
        diag_fatal(&link->diag, "No input files specified; use option --help for more information");
    if (kind == ARCH_LTO)
        diag_fatal(&link->diag,
                   "Link target of '%s' is virtual target that is not JIT-able; use 'sm_' target "
                   "instead",
                   link->arch.name);
    if (link->arch.generation->family == FAMILY_MERCURY)
        diag_fatal(&link->diag, "Linking for '%s' is not supported yet", link->arch.name);
    check_conflicts(link);
}
