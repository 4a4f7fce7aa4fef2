#include "merge/merge.h"
#include "driver/phases.h"

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

/* Where there is enough to do for several threads. Not the device runtime, which may be left out. */
static void
open_inputs(culd_link *link, struct elfw *elfw)
{
    const struct inputs *inputs = &link->inputs;
    struct opened_images *opened = &link->opened;
    uint64_t size = 0;

    for (uint32_t i = 0; i < inputs->list.count; i++)
        size += inputs->list.at[i]->image.size;
    unsigned threads = link_threads(link, size);
    if (threads <= 1 || inputs->list.count <= 1)
        return;
    opened->count = inputs->list.count;
    opened->is_mercury = elfw->view->is_mercury;
    opened->list = arena_array(&link->arena, opened->count, sizeof *opened->list);
    for (uint32_t i = 0; i < opened->count; i++)
        if (!is_device_runtime(inputs->list.at[i]->name))
            opened->list[i] = (struct opened_image){.name = inputs->list.at[i]->name,
                                                    .image = inputs->list.at[i]->image};
    open_images(opened, threads, &link->arena, &link->trace);
}

/* NULL: the image is yet to be opened. */
static const struct elf_view *
opened_view(const culd_link *link, uint32_t number)
{
    const struct opened_image *opened =
        number < link->opened.count ? &link->opened.list[number] : NULL;

    return opened && opened->is_sound ? &opened->view : NULL;
}

void
merge_inputs(culd_link *link, struct elfw *elfw)
{
    struct progress progress = begin_merge(&link->inputs);
    bool has_whole_program = any_whole_program(link);
    bool runtime_left_out = false;

    open_inputs(link, elfw);
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
        merge_opened(elfw, input->name, input->image, opened_view(link, i));
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
