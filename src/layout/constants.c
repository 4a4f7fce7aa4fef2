#include "layout/layout.h"

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

static uint32_t
find_table(const struct elfw *elfw, uint32_t bank, uint32_t type)
{
    uint32_t table = elfw_function(elfw, elfw_section(elfw, bank)->owner)->first_owned;

    while (table &&
           !(elfw_section(elfw, table)->type == type && elfw_section(elfw, table)->target == bank))
        table = elfw_section(elfw, table)->next_owned;
    return table;
}

static uint32_t
add_table(struct elfw *elfw, uint32_t bank, uint32_t type, const char *prefix)
{
    const char *name = elfw_section_name(elfw, elfw_section(elfw, bank));

    return elfw_add_section(elfw,
                            &(struct new_section){
                                .name = arena_format(elfw->arena, "%s%s", prefix, name),
                                .type = type,
                                .flags = SHF_INFO_LINK,
                                .align = 8,
                                .entsize = type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela),
                                .owner = elfw_section(elfw, bank)->owner,
                                .target = bank,
                            });
}

/* The relocations of a bank, made if there are none yet. */
static uint32_t
table_of(struct elfw *elfw, uint32_t bank, uint32_t type)
{
    uint32_t table = find_table(elfw, bank, type);

    if (table)
        return table;
    table = add_table(elfw, bank, type, type == SHT_RELA ? ".rela" : ".rel");
    if (elfw_flag(elfw, MERGE_PRESERVE_RELOCS))
        add_table(elfw, bank, SHT_CUDA_RESOLVED_RELA, ".nv.resolvedrela");
    return table;
}

/* The entries that lie in an object; the list keeps its order. */
static struct bytes
entries_in(struct arena *arena, const struct reloc_piece *piece, uint64_t from, uint64_t to)
{
    size_t size = piece->is_rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    uint8_t *copy = arena_alloc(arena, piece->entries.size + 1);
    size_t count = 0;

    for (size_t at = 0; at + size <= piece->entries.size; at += size) {
        uint64_t offset = read_u64(piece->entries.at + at);
        if (offset >= from && offset < to)
            memcpy(copy + size * count++, piece->entries.at + at, size);
    }
    return (struct bytes){copy, size * count};
}

struct moved_list {
    uint32_t first, last;
};

static void
append_moved(struct elfw *elfw, struct moved_list *list, struct reloc_piece piece)
{
    uint32_t added = elfw->reloc_pieces.count;

    piece.next = 0;
    array_push(&elfw->reloc_pieces, elfw->arena, piece);
    if (list->last)
        elfw->reloc_pieces.at[list->last].next = added;
    else
        list->first = added;
    list->last = added;
}

/* Constants move object by object, and their entries with them; those of a loser are one. */
static struct moved_list
split_by_objects(struct elfw *elfw, uint32_t table, uint64_t offset)
{
    struct moved_list list = {0};

    for (uint32_t p = elfw_section(elfw, table)->first_piece; p;
         p = elfw->reloc_pieces.at[p].next) {
        struct reloc_piece piece = elfw->reloc_pieces.at[p];
        if (piece.is_stale)
            continue;
        const struct object *object = elfw->objects.at[piece.object];
        uint32_t first = object->first_objects ? object->first_objects[piece.input_target] : 0;

        piece.base += offset;
        if (!first || !object->next_objects[first] || object->fates[first] == SYMBOL_LOST) {
            append_moved(elfw, &list, piece);
            continue;
        }
        for (uint32_t i = first; i; i = object->next_objects[i]) {
            const Elf64_Sym *symbol = &object->elf.symbols[i];
            struct reloc_piece part = piece;
            part.entries = entries_in(elfw->arena, &piece, symbol->st_value,
                                      symbol->st_value + symbol->st_size);
            append_moved(elfw, &list, part);
        }
    }
    return list;
}

/* Entries go behind those that the table has, which is to say that their pieces come before. */
static void
add_moved_entries(struct elfw *elfw, uint32_t to, uint32_t from, uint64_t offset)
{
    uint32_t old_first = elfw_section(elfw, to)->first_piece;
    struct moved_list list = split_by_objects(elfw, from, offset);

    if (!list.first)
        return;
    elfw->reloc_pieces.at[list.last].next = old_first;
    elfw_section(elfw, to)->first_piece = list.first;
    if (!old_first)
        elfw_section(elfw, to)->last_piece = list.last;
}

static bool
has_entries(const struct elfw *elfw, uint32_t table)
{
    for (uint32_t p = elfw_section(elfw, table)->first_piece; p; p = elfw->reloc_pieces.at[p].next)
        if (!elfw->reloc_pieces.at[p].is_stale)
            return true;
    return false;
}

static void
move_entries(struct elfw *elfw, uint32_t index, const uint32_t *kernels, uint32_t count,
             uint64_t offset)
{
    uint32_t owner = elfw_section(elfw, index)->owner;

    for (uint32_t i = elfw_function(elfw, owner)->first_owned; i;
         i = elfw_section(elfw, i)->next_owned) {
        uint32_t type = elfw_section(elfw, i)->type;

        if (!is_relocation_table(type) || elfw_section(elfw, i)->target != index ||
            elfw_section(elfw, i)->state != SECTION_LIVE)
            continue;
        for (uint32_t k = count; k-- > 0 && has_entries(elfw, i);) {
            uint32_t bank = elfw_first_bank(elfw, kernels[k], SHT_CUDA_CONSTANT2);
            add_moved_entries(elfw, table_of(elfw, bank, type), i, offset);
        }
        elfw_section(elfw, i)->state = SECTION_DEAD;
    }
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
    move_entries(elfw, index, kernels, count, offset);
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

/* A replacement may leave a bank without contents. */
void
bury_empty_banks(struct elfw *elfw)
{
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        struct section *section = elfw_section(elfw, i);
        if (section->type == SHT_CUDA_CONSTANT2 && section->owner && !section->size)
            bury_bank(elfw, i);
    }
}

void
layout_function_constants(struct elfw *elfw, const struct call_graph *graph)
{
    move_constants(elfw, graph);
    bury_empty_banks(elfw);
}
