#include "layout/layout.h"

#include "layout/constant_entries.h"

/*
 * Constants of device functions (.nv.constant2.F) move behind those of every kernel that reaches
 * the function, at one offset for all of them. They are visited in reverse order of creation,
 * which decides the offsets.
 */

struct move {
    uint32_t section;
    uint32_t function;
};

static bool
moves(const struct elfw *elfw, const struct section *section)
{
    return section->type == SHT_CUDA_CONSTANT2 && section->state == SECTION_LIVE &&
           section->owner && !elfw_function_is_defined_entry(elfw, section->owner);
}

static uint32_t
bank_of(struct elfw *elfw, uint32_t kernel, uint64_t align)
{
    uint32_t bank = elfw_first_bank(elfw, kernel, SHT_CUDA_CONSTANT2);

    if (bank)
        return bank;
    return elfw_add_section(elfw, &(struct new_section){
                                      .name = arena_join(elfw->arena, elfw->view->function_banks,
                                                         elfw_function_name(elfw, kernel)),
                                      .type = SHT_CUDA_CONSTANT2,
                                      .flags = SHF_ALLOC | SHF_INFO_LINK,
                                      .align = align,
                                      .owner = kernel,
                                      .target = elfw_function(elfw, kernel)->text,
                                  });
}

/* All banks take the strictest alignment among them, for their ends too. */
static void
append_pieces(struct elfw *elfw, uint32_t bank, uint64_t offset, uint32_t section, uint64_t align)
{
    uint64_t size = elfw_section(elfw, section)->size;

    for (uint32_t p = elfw_section(elfw, section)->first_piece; p; p = elfw->pieces.at[p].next) {
        struct piece piece = elfw->pieces.at[p];

        elfw_section(elfw, bank)->size = offset + piece.base;
        elfw_append(elfw, bank, (struct bytes){piece.bytes, piece.size}, piece.size, 1);
        if (piece.object)
            elfw_mark_piece(elfw, bank, elfw->objects.at[piece.object], piece.input);
        elfw->pieces.at[elfw_section(elfw, bank)->last_piece].is_loser = piece.is_loser;
    }
    elfw_section(elfw, bank)->size = align_up(offset + size, align);
    elfw_section(elfw, bank)->align = align;
}

/* Moves one section; returns the offset its contents got in the kernels' banks. */
static uint64_t
move_section(struct elfw *elfw, uint32_t index, const uint32_t *entries, uint32_t entry_count)
{
    uint32_t *kernels = arena_array(elfw->arena, (size_t)entry_count + 1, sizeof *kernels);
    uint32_t count = 0;

    for (uint32_t i = 0; i < entry_count; i++)
        if (elfw_function_is_entry(elfw, entries[i]))
            kernels[count++] = entries[i];

    struct section section = *elfw_section(elfw, index);
    uint64_t offset = 0, align = section.align;

    for (uint32_t k = 0; k < count; k++) {
        uint32_t bank = elfw_first_bank(elfw, kernels[k], SHT_CUDA_CONSTANT2);
        if (bank)
            align = max_u64(align, elfw_section(elfw, bank)->align);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t bank = elfw_first_bank(elfw, kernels[k], SHT_CUDA_CONSTANT2);
        if (bank)
            offset = max_u64(offset, align_up(elfw_section(elfw, bank)->size, align));
    }
    for (uint32_t k = count; k-- > 0;)
        append_pieces(elfw, bank_of(elfw, kernels[k], align), offset, index, align);
    move_constant_entries(elfw, index, kernels, count, offset);
    /* Harmless but visible: nvlink lets symbol 0 point to the constants of the last loser. */
    for (uint32_t p = section.first_piece; p && count; p = elfw->pieces.at[p].next)
        if (elfw->pieces.at[p].is_loser)
            elfw->null_symbol_value = offset + elfw->pieces.at[p].base;
    return offset;
}

static void
move_symbols(struct elfw *elfw, const uint64_t *offsets)
{
    for (uint32_t i = 1; i < elfw->pos_symbols.count; i++) {
        struct symbol_record *symbol = &elfw->pos_symbols.at[i];
        uint32_t section = elfw_symbol_section(elfw, symbol);

        if (symbol_type(symbol) != STT_SECTION && section && section < elfw->sections.count)
            symbol->st_value += offsets[section];
    }
}

static void
move_constants(struct elfw *elfw, const struct call_graph *graph)
{
    uint32_t sections = elfw->sections.count;
    ARRAY(struct move) list = {0};

    for (uint32_t i = sections; i-- > 1;)
        if (moves(elfw, elfw_section(elfw, i)))
            array_push(&list, elfw->arena, ((struct move){i, elfw_section(elfw, i)->owner}));
    if (!list.count)
        return;

    uint32_t *functions = arena_array(elfw->arena, list.count, sizeof *functions);
    uint64_t *offsets = arena_array(elfw->arena, sections, sizeof *offsets);
    for (uint32_t i = 0; i < list.count; i++)
        functions[i] = list.at[i].function;
    struct kernel_lists reaching = call_graph_kernels_reaching(elfw, graph, functions, list.count);

    for (uint32_t i = 0; i < list.count; i++) {
        struct section *section = elfw_section(elfw, list.at[i].section);
        uint32_t first = reaching.start[i];

        if (section->is_leftover) {
            if (section->size == 0)
                section->state = SECTION_DEAD;
            continue;
        }
        offsets[list.at[i].section] = move_section(
            elfw, list.at[i].section, reaching.kernels + first, reaching.start[i + 1] - first);
        elfw_section(elfw, list.at[i].section)->state = SECTION_DEAD;
    }
    move_symbols(elfw, offsets);
}

static void
bury_bank(struct elfw *elfw, uint32_t bank)
{
    uint32_t owner = elfw_section(elfw, bank)->owner;

    elfw_section(elfw, bank)->state = SECTION_DEAD;
    for (uint32_t i = elfw_function(elfw, owner)->first_owned; i;
         i = elfw_section(elfw, i)->next_owned)
        if (is_relocation_table(elfw_section(elfw, i)->type) &&
            elfw_section(elfw, i)->target == bank)
            elfw_section(elfw, i)->state = SECTION_DEAD;
}

/* A replacement may leave a bank without contents, and entries without a meaning. */
void
settle_replaced_banks(struct elfw *elfw)
{
    settle_all_stale_entries(elfw);
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        struct section *section = elfw_section(elfw, i);
        if (section->type == SHT_CUDA_CONSTANT2 && section->owner && !section->size)
            bury_bank(elfw, i);
    }
}

void
layout_function_constants(struct elfw *elfw, const struct call_graph *graph)
{
    if (!elfw_may_have(elfw, SHT_CUDA_CONSTANT2))
        return;
    move_constants(elfw, graph);
    settle_replaced_banks(elfw);
}
