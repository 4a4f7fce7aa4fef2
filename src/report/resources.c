#include "cubin/nvinfo.h"

#include "finalize/finalize.h"
#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t
named_size(const struct elfw *elfw, const char *name)
{
    uint32_t section = elfw_find_section(elfw, name);
    return section ? elfw_section(elfw, section)->size : 0;
}

/* The constant banks of the program, by number. */
static const char *
program_banks(struct elfw *elfw)
{
    uint32_t banks[SHT_CUDA_CONSTANT_LAST - SHT_CUDA_CONSTANT0 + 1] = {0};
    const char *text = "";

    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        const struct section *section = elfw_section(elfw, i);
        if (is_constant_bank(section->type) && !section->owner && section->state == SECTION_LIVE &&
            !elfw->view->is_mercury)
            banks[section->type - SHT_CUDA_CONSTANT0] = i;
    }
    for (uint32_t bank = 0; bank < COUNT_OF(banks); bank++)
        if (banks[bank])
            text = arena_format(elfw->arena, "%s, %" PRIu64 " bytes cmem[%u]", text,
                                elfw_section(elfw, banks[bank])->size, bank);
    return text;
}

static void
report_program(struct elfw *elfw)
{
    diag_statistic(elfw->diag, "%" PRIu64 " bytes gmem%s",
                   named_size(elfw, ".nv.global") + named_size(elfw, ".nv.global.init"),
                   program_banks(elfw));
}

static unsigned
own_barriers(const struct function *function)
{
    struct bytes records = function->records;
    struct info_record record;
    size_t offset = 0;
    unsigned barriers = function->barriers;

    while (info_next(records, &offset, &record))
        if (record.attribute == EIATTR_NUM_BARRIERS)
            barriers = record.value & 0xff;
    return barriers;
}

static const char *
kernel_banks(struct elfw *elfw, uint32_t kernel)
{
    const char *text = "";

    if (elfw->view->is_mercury)
        return text; /* banks have no numbers there */
    for (uint32_t bank = 0; bank <= SHT_CUDA_CONSTANT_LAST - SHT_CUDA_CONSTANT0; bank++) {
        uint32_t section = elfw_first_bank(elfw, kernel, SHT_CUDA_CONSTANT0 + bank);
        if (section && elfw_section(elfw, section)->state == SECTION_LIVE &&
            elfw_section(elfw, section)->size)
            text = arena_format(elfw->arena, "%s%" PRIu64 " bytes cmem[%u], ", text,
                                elfw_section(elfw, section)->size, bank);
    }
    return text;
}

/* The image references of a kernel that has slots for them. */
static const char *
kernel_images(struct elfw *elfw, uint32_t kernel)
{
    static const struct {
        unsigned type;
        const char *name;
    } kinds[] = {{STT_CUDA_TEXTURE, "textures"},
                 {STT_CUDA_SURFACE, "surfaces"},
                 {STT_CUDA_SAMPLER, "samplers"}};
    const char *text = "";
    bool has_slots = false;

    if (elfw->view->is_mercury)
        return text; /* nor have references */
    for (uint32_t i = elfw_function(elfw, kernel)->first_owned; i;
         i = elfw_section(elfw, i)->next_owned)
        has_slots |= elfw_section(elfw, i)->has_image_slots;
    for (size_t k = 0; k < COUNT_OF(kinds) && has_slots; k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < elfw->image_slots.count; i++)
            count += symbol_type(elfw_get_symbol(elfw, elfw->image_slots.at[i])) == kinds[k].type;
        if (count)
            text = arena_format(elfw->arena, "%s, %u %s", text, count, kinds[k].name);
    }
    return text;
}

static void
report_kernel(struct elfw *elfw, const struct call_graph *graph,
              const struct reach_summary *summary, uint32_t kernel)
{
    const struct function *function = elfw_function(elfw, kernel);
    const struct reached *reached = reached_by(summary, graph, kernel);
    const struct inherited inherited = call_graph_has_one_kernel(elfw, graph)
                                           ? summary->of_program
                                           : inherited_by(summary, reached);
    /* An entry beside the only kernel that --kernels-used names counts for itself alone. */
    bool is_kernel = elfw_function_is_entry(elfw, kernel);
    bool is_final = is_kernel && !elfw_flag(elfw, MERGE_RELOCATABLE);
    int barriers = inheritable_index(EIATTR_NUM_BARRIERS);
    uint32_t stack = is_final ? kernel_stack(graph, summary, kernel) : 0;

    if (stack == STACK_UNKNOWN || !is_kernel)
        stack = function->frame_size;

    diag_statistic(elfw->diag, "Function properties for '%s':", elfw_function_name(elfw, kernel));
    diag_statistic(elfw->diag,
                   "used %u registers, used %u barriers, %u stack, %" PRIu64
                   " bytes smem, %s0 bytes lmem%s",
                   is_final ? reached->registers : function->registers,
                   is_final ? (unsigned)max_u64(inherited.values[barriers], reached->barriers)
                            : own_barriers(function),
                   stack, function->shared ? elfw_section(elfw, function->shared)->size : 0,
                   kernel_banks(elfw, kernel), kernel_images(elfw, kernel));
}

/* Kernels of mercury links that nvlink might have written with other scoreboards. */
static void
report_copied(struct elfw *elfw)
{
    for (uint32_t i = 0; i < elfw->leaf_kernels.copied.count; i++) {
        const struct copied_kernel *copied = &elfw->leaf_kernels.copied.at[i];
        diag_statistic(elfw->diag, "Kernel '%s' is copied as it came: %s",
                       elfw_function_name(elfw, copied->function), copied->reason);
    }
}

void
report_resources(struct elfw *elfw, const struct call_graph *graph,
                 const struct reach_summary *summary)
{
    report_program(elfw);
    for (uint32_t i = elfw->sections.count; i-- > 1;) {
        uint32_t function = elfw_text_owner(elfw, i);
        if (function && elfw_function_is_defined_entry(elfw, function) &&
            !elfw_function(elfw, function)->is_dead)
            report_kernel(elfw, graph, summary, function);
    }
    report_copied(elfw);
}
