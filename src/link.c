#include "link.h"

#include "driver/host_script.h"
#include "driver/measurements.h"
#include "driver/phases.h"
#include "driver/side_files.h"
#include "finalize/finalize.h"
#include "finalize/output.h"
#include "layout/layout.h"
#include "mercury/mercury.h"
#include "options/checks.h"
#include "relocate/relocate.h"
#include "report/report.h"

/* What no kernel can reach goes; shared memory, constants and texture slots get their places.
   After this the set of functions and sections is final. */
static struct call_graph *
lay_out(culd_link *link, struct elfw *elfw, struct reach_summary **summary)
{
    struct call_graph *graph = layout_functions(elfw);

    *summary = reach_summarise(elfw, graph);
    check_stacks(elfw, graph);
    if (link->options.extra_warnings && !elfw_flag(elfw, MERGE_KEEP_ALL))
        check_taken_functions(elfw);
    layout_memory(elfw, graph);
    check_limits(elfw);
    check_undefined(elfw);
    if (elfw->arch->generation->has_mercury)
        mercury_check_targets(elfw);
    if (elfw->view->is_mercury)
        mercury_finish_split(elfw, link_threads(link, mercury_split(elfw)), &link->crew);
    return graph;
}

/* What the options ask to be told, and what can be checked only now. */
static void
report(culd_link *link, struct elfw *elfw, const struct call_graph *graph,
       const struct reach_summary *summary)
{
    bool is_relocatable = elfw_flag(elfw, MERGE_RELOCATABLE);

    if (elfw_flag(elfw, MERGE_DUMP_CALLGRAPH) && !is_relocatable)
        report_callgraph(elfw);
    if (!is_relocatable)
        report_registers(elfw, graph, summary);
    if (elfw_flag(elfw, MERGE_NO_SMEM_RESERVATION))
        check_reserved_shared(elfw, graph);
    check_cta_groups(elfw, graph, summary);
    if (link->options.verbose)
        report_resources(elfw, graph, summary);
}

/* The cubin as an image, or, where nobody will ask for it, made while its file is written. */
static void
write_output(culd_link *link, struct elfw *elfw)
{
    struct output *output = output_prepare(elfw);
    const char *path = link->options.output;

    link->output_size = output->size;
    if (link->writes_parts && path && file_can_be_made(path)) {
        link->parts = output;
        link->parts_file = link->files.count;
        link_add_file(link, path, (struct bytes){NULL, output->size});
        return;
    }
    uint8_t *image = arena_zero(&link->arena, output->size);
    output_write_image(output, image, link_threads(link, output->size), &link->trace);
    link->output = (struct bytes){image, output->size};
    if (path)
        link_add_file(link, path, link->output);
}

/* From inputs to an output. */
static void
link_inputs(culd_link *link, struct elfw *elfw)
{
    /* One definition per name, every section with its pieces. No input can be added after this. */
    trace_phase(&link->trace, "merge");
    link->elfw = elfw;
    elfw_set_view(elfw, inputs_view(&link->inputs));
    merge_inputs(link, elfw);
    collect_host_references(link, elfw);

    trace_phase(&link->trace, "layout");
    struct reach_summary *summary;
    struct call_graph *graph = lay_out(link, elfw, &summary);

    /* Every relocation is applied, kept or dropped: sizes are known. */
    trace_phase(&link->trace, "relocate");
    relocate_scan(elfw, &link->crew);
    report(link, elfw, graph, summary);
    if (link->diag.errors)
        return;

    /* Numbers and file offsets for everything. */
    trace_phase(&link->trace, "finalize");
    finalize(elfw, graph, summary, &link->crew);

    trace_phase(&link->trace, "write");
    write_output(link, elfw);
}

static void
run_phases(culd_link *link)
{
    trace_phase(&link->trace, "init");
    struct elfw *elfw = begin_output(link);

    trace_phase(&link->trace, "read");
    read_inputs(link);
    if (link->diag.errors)
        return;
    if (link->options.link_time_opt || link->options.dlto) /* such objects are refused */
        diag_warning(&link->diag, "Ignoring -dlto option because no LTO objects found");
    bool is_linked = link->target_kind != ARCH_VIRTUAL;
    if (is_linked)
        link_inputs(link, elfw);
    add_registration(link);
    if (is_linked && !link->diag.errors)
        add_dependencies(link);
}

enum culd_status
culd_run(culd_link *link)
{
    if (link->has_failed || link->has_run)
        return CULD_FATAL;
    link->has_run = true;
    if (setjmp(link->diag.unwind)) {
        link->output = (struct bytes){0};
        return CULD_FATAL;
    }
    options_end(&link->parser);
    set_messages(link);
    if (wants_text(link))
        return CULD_OK;
    if (link->options.gen_host_linker_script) {
        make_host_script(link);
        return CULD_OK;
    }
    check_options(link);
    run_phases(link);
    trace_phase(&link->trace, NULL);
    measurements_update(link);
    return link->diag.errors ? CULD_ERRORS : CULD_OK;
}
