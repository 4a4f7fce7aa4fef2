#include "link.h"

#include "cubin/notes.h"
#include "finalize/finalize.h"
#include "finalize/output.h"
#include "host_script.h"
#include "layout/layout.h"
#include "measurements.h"
#include "mercury/mercury.h"
#include "merge/merge.h"
#include "options/checks.h"
#include "relocate/relocate.h"
#include "report/report.h"
#include "side_files.h"
#include "time_table.h"

#include <stdlib.h>
#include <unistd.h>

static void
forward_message(void *user, enum severity severity, const char *text)
{
    static const enum culd_severity severities[] = {
        [SEVERITY_INFO] = CULD_INFO,   [SEVERITY_WARNING] = CULD_WARNING,
        [SEVERITY_ERROR] = CULD_ERROR, [SEVERITY_FATAL] = CULD_FATAL_ERROR,
        [SEVERITY_TEXT] = CULD_TEXT,
    };
    culd_link *link = user;

    if (link->on_message)
        link->on_message(link->user, severities[severity], text);
}

culd_link *
culd_create(culd_message_fn on_message, void *user)
{
    culd_link *link = calloc(1, sizeof *link);

    if (!link)
        return NULL;
    link->on_message = on_message;
    link->user = user;
    link->diag = (struct diag){.sink = forward_message, .user = link, .target_suffix = ""};
    arena_init(&link->arena, &link->diag);
    link->parser = (struct option_parser){&link->options, &link->arena, &link->diag, NULL, NULL, 0};
    return link;
}

void
culd_destroy(culd_link *link)
{
    if (!link)
        return;
    inputs_release(&link->inputs);
    libraries_release(&link->libraries);
    arena_free_all(&link->arena);
    free(link);
}

/* The sanitizers are to see that nothing would be lost. */
void
link_leave(culd_link *link)
{
#ifdef CULD_SANITIZED
    culd_destroy(link);
#else
    ptx_release(&link->inputs.ptx);
#endif
}

enum culd_status
culd_add_option(culd_link *link, const char *word)
{
    if (!link->has_failed && !setjmp(link->diag.unwind))
        options_add_word(&link->parser, word);
    else
        link->has_failed = true;
    return link->has_failed ? CULD_FATAL : CULD_OK;
}

enum culd_status
culd_add_image(culd_link *link, const char *name, const void *bytes, size_t size)
{
    if (link->has_failed || setjmp(link->diag.unwind)) {
        link->has_failed = true;
        return CULD_FATAL;
    }
    array_push(
        &link->memory_inputs, &link->arena,
        ((struct memory_input){arena_text(&link->arena, name, strlen(name)), {bytes, size}}));
    return CULD_OK;
}

/* ---- init ---- */

static uint32_t
merge_flags(const struct options *options)
{
    bool debug = options->debug && !options->suppress_debug_info;
    bool no_reservation =
        options->disable_smem_reservation && !strcmp(options->disable_smem_reservation, "true");

    bool keep_all = options->debug || options->relocatable || options->preserve_relocs;

    return (options->preserve_relocs ? MERGE_PRESERVE_RELOCS : 0u) |
           (keep_all ? MERGE_KEEP_ALL : 0u) | (options->force_rela ? MERGE_FORCE_RELA : 0u) |
           (options->reserve_null_pointer ? MERGE_RESERVE_NULL : 0u) |
           (no_reservation ? MERGE_NO_SMEM_RESERVATION : 0u) |
           (options->allow_undefined_globals ? MERGE_ALLOW_UNDEFINED_GLOBALS : 0u) |
           (options->relocatable ? MERGE_RELOCATABLE : 0u) | (debug ? MERGE_DEBUG : 0u) |
           (options->dump_callgraph || options->dump_callgraph_raw ? MERGE_DUMP_CALLGRAPH : 0u) |
           (options->suppress_stack_warning ? MERGE_NO_STACK_WARNING : 0u);
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
    bool with_files =
        options->verbose_tkinfo ? !strcmp(options->verbose_tkinfo, "true") : options->debug;
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

static struct elfw *
init(culd_link *link)
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

/* ---- read ---- */

static uint32_t
processor_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

static void
add_timing(void *user, const char *input, bool is_file, double milliseconds)
{
    time_table_add(user, is_file ? input : "ptx", "ptxas", input, is_file ? "" : "cubin",
                   milliseconds);
}

static void
settle_compilations(void *user)
{
    culd_link *link = user;
    inputs_finish(&link->inputs);
}

/* What a link's options say about its inputs, and about compiling those that are PTX. */
static void
prepare_inputs(culd_link *link)
{
    const struct options *options = &link->options;
    struct compiler_options compiler = options_for_compiler(&link->arena, options);

    link->inputs.settings = (struct input_settings){
        .arena = &link->arena,
        .arch = &link->arch,
        .is_virtual_target = link->target_kind == ARCH_VIRTUAL,
        .prefer_lto = options->link_time_opt || options->dlto,
        .suppress_arch_warning = options->suppress_arch_warning,
    };
    link->inputs.unpacker.arena = &link->arena;
    link->inputs.ptx = (struct ptx_compiler){
        .arena = &link->arena,
        .arch = &link->arch,
        .ptxas = options->ptxas_path,
        .options = compiler.list.at,
        .option_count = compiler.list.count,
        .refusal = compiler.refusal,
        .most_at_once = options->time_file ? 1 : processor_count(),
        .on_timing = add_timing,
        .user = link,
    };
    link->diag.settle = settle_compilations;
    link->diag.settle_user = link;
}

/* Opening a file costs as much as reading this many bytes, or more. */
enum { COST_OF_A_FILE = 16 * 1024 };

static void
preload_inputs(culd_link *link)
{
    uint32_t count = link->options.inputs.count;
    unsigned threads = link_threads(link, (uint64_t)count * COST_OF_A_FILE);

    link->inputs.preload = (struct preload){.paths = link->options.inputs.at, .count = count};
    if (threads > 1 && count > 1)
        preload_files(&link->inputs.preload, threads, &link->arena, &link->trace);
}

static void
read_inputs(culd_link *link)
{
    prepare_inputs(link);
    find_libraries(&link->arena, &link->options, &link->libraries);
    preload_inputs(link);
    for (uint32_t i = 0; i < link->options.inputs.count; i++)
        inputs_add_file(&link->inputs, link->options.inputs.at[i], i);
    for (uint32_t i = 0; i < link->memory_inputs.count; i++)
        inputs_add_image(&link->inputs, link->memory_inputs.at[i].name,
                         link->memory_inputs.at[i].image);
    for (uint32_t i = 0; i < link->libraries.count; i++)
        inputs_add_library(&link->inputs, &link->libraries.at[i]);
    inputs_finish(&link->inputs);
}

/* ---- merge ---- */

/*
 * The device runtime, known by its name, is linked only where some function is still missing when
 * its turn comes. Once it was left out, nothing may follow that could have needed it.
 */
static bool
is_unneeded_runtime(const culd_link *link, const struct elfw *elfw, const struct input *input)
{
    return is_device_runtime(input->name) && !link->options.keep_system_libraries &&
           !elfw_wants_functions(elfw);
}

static bool
any_whole_program(const culd_link *link)
{
    bool any = false;

    for (uint32_t i = 0; i < link->inputs.list.count; i++)
        any |= is_whole_program(link->inputs.list.at[i]->image);
    return any;
}

/* A whole program calls nothing but the device runtime, and nothing else can call into it. */
static void
warn_of_other_object(culd_link *link, const struct input *input)
{
    if (is_whole_program(input->image) || is_device_runtime(input->name))
        return;
    diag_warning(&link->diag, "'%s': -ewp compiled objects should only link with libcudadevrt",
                 input->name);
}

/* As its header says; no more than there is room for in the file. */
static uint32_t
count_sections(struct bytes image)
{
    if (image.size < sizeof(Elf64_Ehdr))
        return 0;
    uint64_t claimed = read_u16(image.at + offsetof(Elf64_Ehdr, e_shnum));
    uint64_t possible = image.size / sizeof(Elf64_Shdr);
    return (uint32_t)(claimed < possible ? claimed : possible);
}

/* The sections of the inputs, of all and of those that are merged. */
struct progress {
    uint32_t merged, all;
    bool is_settled; /* too small for a guess at what will come, or the guess was made */
};

static struct progress
begin_merge(const struct inputs *inputs)
{
    enum { WORTH_A_GUESS = 2000 };
    struct progress progress = {0};

    for (uint32_t i = 0; i < inputs->list.count; i++)
        progress.all += count_sections(inputs->list.at[i]->image);
    progress.is_settled = progress.all < WORTH_A_GUESS;
    return progress;
}

/* The first inputs tell what the others will need. */
static void
note_merged(struct progress *progress, struct elfw *elfw, struct bytes image)
{
    enum { SHARE_OF_A_SAMPLE = 16 };

    progress->merged += count_sections(image);
    if (progress->is_settled || progress->merged < progress->all / SHARE_OF_A_SAMPLE)
        return;
    progress->is_settled = true;
    elfw_expect_sections(elfw, progress->merged, progress->all);
}

static void
merge_inputs(culd_link *link, struct elfw *elfw)
{
    struct progress progress = begin_merge(&link->inputs);
    bool has_whole_program = any_whole_program(link);
    bool runtime_left_out = false;

    for (uint32_t i = 0; i < link->inputs.list.count; i++) {
        struct input *input = link->inputs.list.at[i];

        if (is_unneeded_runtime(link, elfw, input)) {
            runtime_left_out = input->is_left_out = true;
            if (input->image.size)
                check_left_out(elfw, input->name, input->image);
            continue;
        }
        if (!input->image.size)
            continue;
        if (runtime_left_out)
            diag_fatal(&link->diag, "unexpected object after cudadevrt");
        if (has_whole_program)
            warn_of_other_object(link, input);
        if (link->diag.errors)
            diag_fatal(&link->diag, "merge_elf failed");
        merge_elf(elfw, input->name, input->image);
        note_merged(&progress, elfw, input->image);
    }
}

/* Do the inputs, all of them, say which kernels their host code uses? */
static bool
obeys_host_references(const culd_link *link)
{
    const struct options *options = &link->options;

    return !options->ignore_host_info && !options->relocatable && !options->debug &&
           !options->kernels_used.count && !options->variables_used.count &&
           !link->inputs.has_plain_file;
}

static uint32_t
count_references(const struct host_references *references)
{
    return references->external.list.count + references->internal.list.count;
}

/* Those of the device runtime select its kernels, but say nothing of the program. */
static void
collect_host_references(culd_link *link, struct elfw *elfw)
{
    struct host_references *references = &link->host_references;
    uint32_t of_program = 0;

    if (!obeys_host_references(link))
        return;
    host_references_init(references, &link->arena);
    for (uint32_t i = 0; i < link->inputs.list.count; i++) {
        const struct input *input = link->inputs.list.at[i];

        if (input->is_left_out)
            continue;
        if (input->lacks_references)
            return;
        uint32_t before = count_references(references);
        host_patterns_add_section(&references->external, input->external_kernels);
        host_patterns_add_section(&references->internal, input->internal_kernels);
        if (!is_device_runtime(input->name))
            of_program += count_references(references) - before;
    }
    if (of_program)
        elfw->host_references = references;
}

/* ---- write ---- */

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
        mercury_split(elfw, link_threads(link, mercury_split_cost(elfw)), &link->trace);
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
    relocate_scan(elfw);
    report(link, elfw, graph, summary);
    if (link->diag.errors)
        return;

    /* Numbers and file offsets for everything. */
    trace_phase(&link->trace, "finalize");
    finalize(elfw, graph, summary);

    trace_phase(&link->trace, "write");
    write_output(link, elfw);
}

static void
run_phases(culd_link *link)
{
    trace_phase(&link->trace, "init");
    struct elfw *elfw = init(link);

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

const void *
culd_output(const culd_link *link, size_t *size)
{
    *size = link->output.size;
    return link->output.at;
}

const char *
culd_requested_text(const culd_link *link)
{
    return link->text;
}

const char *
culd_tool_name(const culd_link *link)
{
    return link->tool_name;
}

const char *
culd_version(void)
{
    return CULD_VERSION;
}
