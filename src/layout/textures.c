#include "layout/layout.h"
#include "layout/list_sort.h"
#include "mercury/mercury.h"

/*
 * Every texture, sampler and surface reference gets a 4-byte slot behind the parameters of the
 * kernels that need any of them, at one offset for all; the driver fills the slots through
 * relocations of .nv.constant0.K.
 */

enum { SLOT_SIZE = 4 };

static int
all_equal(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    (void)a;
    (void)b;
    return 0;
}

/* References by kind, the newest first, then in the order of the list sort. */
static uint32_t *
order_references(struct elfw *elfw)
{
    uint32_t count = elfw->image_references.count;
    uint32_t *order = arena_array(elfw->arena, count, sizeof *order);
    uint32_t at = 0;

    for (unsigned kind = STT_CUDA_TEXTURE; kind <= STT_CUDA_SURFACE; kind++)
        for (uint32_t i = count; i-- > 0;)
            if (symbol_type(elfw_get_symbol(elfw, elfw->image_references.at[i])) == kind)
                order[at++] = i;
    list_sort(elfw->arena, order, count, all_equal, NULL, false);
    return order;
}

/* The functions with image references in their text; *any is set for dead ones too. */
static uint32_t
collect_users(struct elfw *elfw, uint32_t *users, bool *any)
{
    bool *seen = arena_array(elfw->arena, elfw->functions.count, sizeof *seen);
    uint32_t count = 0;

    for (uint32_t i = 0; i < elfw->data_uses.count; i++) {
        const struct data_use *use = &elfw->data_uses.at[i];

        if (!is_image_type(symbol_type(elfw_get_symbol(elfw, use->symbol))) ||
            !use_counts(elfw, use))
            continue;
        *any = true;
        if (!seen[use->function] && !elfw_function(elfw, use->function)->is_dead)
            users[count++] = use->function;
        seen[use->function] = true;
    }
    return count;
}

/* A program with one kernel gives it the slots, whoever uses them. */
static bool *
functions_with_slots(struct elfw *elfw, const struct call_graph *graph, bool *any_user)
{
    uint32_t *users = arena_array(elfw->arena, elfw->functions.count, sizeof *users);
    uint32_t user_count = collect_users(elfw, users, any_user);
    bool *needs = arena_array(elfw->arena, elfw->functions.count, sizeof *needs);
    struct kernel_lists lists = call_graph_kernels_reaching(elfw, graph, users, user_count);

    for (uint32_t i = 0; i < lists.start[user_count]; i++)
        needs[lists.kernels[i]] = elfw_function_is_defined_entry(elfw, lists.kernels[i]);
    if (call_graph_has_one_kernel(elfw, graph) && *any_user)
        for (uint32_t k = 0; k < graph->kernel_count; k++)
            needs[graph->kernels[k]] = true;
    /* An entry that --kernels-used does not name has slots for its own code. */
    for (uint32_t u = 0; u < user_count; u++)
        if (elfw_function_is_defined_entry(elfw, users[u]))
            needs[users[u]] = true;
    return needs;
}

/* In the order of their texts, in which they get banks. */
static uint32_t *
kernels_with_slots(struct elfw *elfw, const struct call_graph *graph, uint32_t *count,
                   bool *any_user)
{
    bool *needs = functions_with_slots(elfw, graph, any_user);
    uint32_t *kernels = arena_array(elfw->arena, elfw->functions.count, sizeof *kernels);

    *count = 0;
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        uint32_t owner = elfw_section(elfw, i)->owner;
        if (needs[owner] && elfw_function(elfw, owner)->text == i)
            kernels[(*count)++] = owner;
    }
    return kernels;
}

/* Parameters of a kernel, and what comes before them in their bank. */
static uint64_t
parameters_size(struct elfw *elfw, uint32_t kernel)
{
    if (elfw->view->is_mercury)
        return mercury_parameters(elfw, kernel).size;
    uint32_t bank = elfw_owned_section(elfw, kernel, SHT_CUDA_CONSTANT0);
    return bank ? elfw_section(elfw, bank)->size : 0;
}

static uint64_t
end_of_parameters(struct elfw *elfw)
{
    /* A program without kernels has slots behind no parameters. */
    uint64_t end = elfw->view->image_banks ? elfw->arch->generation->parameters_at : 0;

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        if (elfw_function(elfw, f)->is_dead || !elfw_function_is_defined_entry(elfw, f))
            continue;
        end = max_u64(end, parameters_size(elfw, f));
    }
    return align_up(end, elfw->view->image_slot_align);
}

/* Whole programs have slots already, in banks of mercury that begin with them; new ones come behind the
   last of those. */
static uint64_t
end_of_given_slots(struct elfw *elfw)
{
    uint64_t end = 0;

    if (!elfw->view->image_banks || !elfw_may_have(elfw, SHT_CUDA_CONSTANT0))
        return 0;
    for (uint32_t i = 1; i < elfw->sections.count; i++)
        if (elfw_section(elfw, i)->type == SHT_CUDA_CONSTANT0 &&
            elfw_section(elfw, i)->state == SECTION_LIVE)
            end = max_u64(end, elfw_section(elfw, i)->size);
    return end;
}

void
layout_given_slots(struct elfw *elfw)
{
    if (end_of_given_slots(elfw))
        elfw->sass_slots = end_of_parameters(elfw);
}

static void
add_image_bank(struct elfw *elfw, uint32_t kernel)
{
    elfw_add_section(elfw, &(struct new_section){
                               .name = arena_format(elfw->arena, "%s%s", elfw->view->image_banks,
                                                    elfw_function_name(elfw, kernel)),
                               .type = SHT_CUDA_CONSTANT0,
                               .flags = SHF_ALLOC | SHF_INFO_LINK,
                               .align = SLOT_SIZE,
                               .owner = kernel,
                               .target = elfw_function(elfw, kernel)->text,
                           });
}

/* The addresses of all references, one slot behind the other. */
static void
place_references(struct elfw *elfw, uint64_t base)
{
    const uint32_t *order = order_references(elfw);

    for (uint32_t i = 0; i < elfw->image_references.count; i++) {
        int32_t symbol = elfw->image_references.at[order[i]];
        uint32_t placed = (uint32_t)elfw_get_symbol(elfw, symbol)->data_ordinal;

        elfw->placed.at[placed].address = base + (uint64_t)i * SLOT_SIZE;
        array_push(&elfw->image_slots, elfw->arena, symbol);
    }
}

/* The table of relocations of the kernel's bank, 0: none. */
static uint32_t
table_of_bank(const struct elfw *elfw, uint32_t kernel, uint32_t bank)
{
    uint32_t table = elfw_function(elfw, kernel)->first_owned;

    while (table && !(is_relocation_table(elfw_section(elfw, table)->type) &&
                      elfw_section(elfw, table)->target == bank))
        table = elfw_section(elfw, table)->next_owned;
    return table;
}

static void
give_slots(struct elfw *elfw, uint32_t kernel, uint64_t end)
{
    if (elfw->view->image_banks)
        add_image_bank(elfw, kernel);
    uint32_t bank = elfw_owned_section(elfw, kernel, SHT_CUDA_CONSTANT0);
    uint32_t table = table_of_bank(elfw, kernel, bank);

    if (!bank || !table)
        return;
    elfw_section(elfw, bank)->size = end;
    elfw_section(elfw, table)->has_image_slots = true;
    if (elfw_section(elfw, table)->type == SHT_REL)
        elfw_section(elfw, table)->flags = 0;
}

void
layout_textures(struct elfw *elfw, const struct call_graph *graph)
{
    uint32_t count = elfw->image_references.count, kernel_count;
    bool any_user = false;

    layout_given_slots(elfw);
    if (!count)
        return;
    uint32_t *kernels = kernels_with_slots(elfw, graph, &kernel_count, &any_user);
    if (!any_user)
        return;
    uint64_t base = end_of_parameters(elfw);

    if (elfw->view->image_banks) {
        /* There slots have a bank for themselves; the end of parameters counts in the SASS view. */
        elfw->sass_slots = base;
        base = end_of_given_slots(elfw);
    }
    place_references(elfw, base);
    for (uint32_t k = 0; k < kernel_count; k++)
        give_slots(elfw, kernels[k], base + (uint64_t)count * SLOT_SIZE);
}
