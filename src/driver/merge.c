#include "merge/merge.h"
#include "driver/phases.h"
#include "merge/ahead.h"

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

/* The inputs, one after the other. */
struct merging {
    culd_link *link;
    struct elfw *elfw;
    struct progress progress;
    bool has_whole_program;
    bool runtime_left_out;
    struct opened_images opened; /* where there are several threads, as the rest */
    uint32_t next;
    bool has_failed;
};

/* `opened` is NULL where the image is yet to be opened. */
static void
merge_input(struct merging *merging, struct input *input, struct object *opened)
{
    culd_link *link = merging->link;
    struct elfw *elfw = merging->elfw;

    if (is_unneeded_runtime(link, elfw, input)) {
        merging->runtime_left_out = input->is_left_out = true;
        if (input->image.size)
            check_left_out(elfw, input->name, input->image);
        return;
    }
    if (!input->image.size)
        return;
    if (merging->runtime_left_out)
        diag_fatal(&link->diag, "unexpected object after cudadevrt");
    if (merging->has_whole_program)
        warn_of_other_object(link, input);
    if (link->diag.errors)
        diag_fatal(&link->diag, "merge_elf failed");
    if (opened)
        merge_object(elfw, opened);
    else
        merge_elf(elfw, input->name, input->image);
    note_merged(&merging->progress, elfw, input->image);
}

/* Not the device runtime, which may be left out. */
static void
open_input(void *user, uint32_t index, unsigned worker)
{
    struct merging *merging = user;
    culd_link *link = merging->link;
    const struct input *input = link->inputs.list.at[index];

    if (input->image.size && !is_device_runtime(input->name))
        open_ahead(&merging->opened, index, worker, input->name, input->image);
}

static void
merge_next(void *user)
{
    struct merging *merging = user;
    culd_link *link = merging->link;

    merge_input(merging, link->inputs.list.at[merging->next],
                take_opened(&merging->opened, merging->next));
}

/* What ends the link waits until the workers have ended. */
static bool
merge_in_turn(void *user, uint32_t index)
{
    struct merging *merging = user;

    merging->next = index;
    merging->has_failed = !diag_try(&merging->link->diag, merge_next, merging);
    return !merging->has_failed;
}

static void
merge_by_threads(struct merging *merging)
{
    culd_link *link = merging->link;
    struct parallel_line line = {
        .name = "open and merge",
        .count = link->inputs.list.count,
        .places = MOST_PLACES,
        .make = open_input,
        .take = merge_in_turn,
        .user = merging,
    };

    crew_prepare(&link->crew);
    merging->opened.crew = &link->crew;
    merging->opened.is_mercury = merging->elfw->view->is_mercury;
    merging->opened.is_trusted = merging->elfw->merge_flags & MERGE_TRUST_INPUTS;
    parallel_run_line(&line, link->crew.threads, &link->trace);
    if (merging->has_failed)
        diag_unwind(&link->diag);
}

static uint64_t
size_of_images(const struct inputs *inputs)
{
    uint64_t size = 0;

    for (uint32_t i = 0; i < inputs->list.count; i++)
        size += inputs->list.at[i]->image.size;
    return size;
}

/* Two threads that share a core take more of its time than one: images are opened by others, while one
   merges, only where there is a lot. */
static unsigned
threads_to_merge(culd_link *link, uint64_t size)
{
    enum { WORTH_A_SECOND = 16 << 20 };

    return !link->options.threads && size < WORTH_A_SECOND ? 1 : link_threads(link, size);
}

void
merge_inputs(culd_link *link, struct elfw *elfw)
{
    enum { SMALL_LINK = 512 * 1024 }; /* bytes, of one view */
    struct merging merging = {
        .link = link,
        .elfw = elfw,
        .progress = begin_merge(&link->inputs),
        .has_whole_program = any_whole_program(link),
    };
    uint64_t size = size_of_images(&link->inputs), copies = elfw->view->is_mercury ? 2 : 1;

    /* With mercury nearly everything is there twice: a program needs twice the memory, and has as many threads
       for any target. */
    if (size * copies < SMALL_LINK)
        arena_expect_little(&link->arena);
    link->crew.threads = threads_to_merge(link, size / copies);
    if (link->crew.threads > 1 && link->inputs.list.count > 1)
        merge_by_threads(&merging);
    else
        for (uint32_t i = 0; i < link->inputs.list.count; i++)
            merge_input(&merging, link->inputs.list.at[i], NULL);
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

/* A lone NUL says nothing; a list of empty names says that host code uses no kernel. */
static bool
has_references(const struct input *input)
{
    return input->external_kernels.size > 1 || input->internal_kernels.size > 1;
}

/* Those of the device runtime select its kernels, but say nothing of the program. */
void
collect_host_references(culd_link *link, struct elfw *elfw)
{
    struct host_references *references = &link->host_references;
    bool has_any = false;

    if (!obeys_host_references(link))
        return;
    host_references_init(references, &link->arena);
    for (uint32_t i = 0; i < link->inputs.list.count; i++) {
        const struct input *input = link->inputs.list.at[i];

        if (input->is_left_out)
            continue;
        if (input->lacks_references)
            return;
        host_patterns_add_section(&references->external, input->external_kernels);
        host_patterns_add_section(&references->internal, input->internal_kernels);
        has_any |= has_references(input) && !is_device_runtime(input->name);
    }
    if (has_any)
        elfw->host_references = references;
}
