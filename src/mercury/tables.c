#include "mercury/leaf_kernels.h"
#include "mercury/split.h"
#include "merge/merge.h"
#include "relocate/entry_walk.h"

/* The entries become a copy, to be changed. */
static uint8_t *
own_entries(struct elfw *elfw, struct reloc_piece *piece)
{
    uint8_t *copy = arena_alloc(elfw->arena, piece->entries.size + 1);

    if (piece->entries.size)
        memcpy(copy, piece->entries.at, piece->entries.size);
    piece->entries.at = copy;
    return copy;
}

/* Relocations of a shortened kernel are behind fewer instructions. */
static void
move_entries(struct elfw *elfw, const struct function *function, struct reloc_piece *piece)
{
    uint8_t *copy = own_entries(elfw, piece);

    for (size_t at = 0; at < piece->entries.size; at += sizeof(Elf64_Rela))
        write_u64(copy + at, moved_place(function, read_u64(copy + at)));
}

/* Slots of whole programs are behind the parameters of all programs then. */
static void
move_slots(struct elfw *elfw, const struct elf_view *elf, struct reloc_piece *piece)
{
    uint8_t *copy = own_entries(elfw, piece);
    uint64_t before = mercury_parameters_end(elf, piece->input_target);

    for (size_t at = 0; at < piece->entries.size; at += sizeof(Elf64_Rela))
        write_u64(copy + at, read_u64(copy + at) - before + elfw->sass_slots);
}

/* The entries of SASS that go with those of mercury. */
static uint32_t
add_sass_entries(struct elfw *elfw, uint32_t mercury, uint32_t target, bool is_pair)
{
    struct reloc_piece piece = elfw->reloc_pieces.at[mercury];
    const struct object *object = elfw->objects.at[piece.object];
    const struct function *function = elfw_function(elfw, elfw_text_owner(elfw, target));
    uint32_t table = object->elf.twins[piece.input];
    uint32_t added = elfw->reloc_pieces.count;

    piece.entries = elf_contents(&object->elf, table);
    piece.input = table;
    piece.input_target = object->elf.twins[piece.input_target];
    piece.next = 0;
    if (!is_pair)
        piece.base = object->bases[piece.input_target];
    if (elfw_section(elfw, target)->type == SHT_CUDA_CONSTANT0)
        move_slots(elfw, &object->elf, &piece);
    array_push(&elfw->reloc_pieces, elfw->arena, piece);
    /* Jump tables are offsets in SASS already. */
    if (is_pair && piece.entries.size)
        elfw->reloc_pieces.at[mercury].pair = added;
    if (function->shift)
        move_entries(elfw, function, &elfw->reloc_pieces.at[added]);
    return added;
}

void
take_sass_tables(struct elfw *elfw, uint32_t index)
{
    struct section *section = elfw_section(elfw, index);
    uint32_t target = section->target;
    bool is_code_or_data = elfw_section(elfw, target)->flags & SHF_ALLOC;
    bool is_pair = is_code_or_data && is_relocation_table(section->type);
    uint32_t next = section->first_piece, last = 0;

    section->first_piece = 0;
    section->follows_twin = is_pair;
    for (; next; next = elfw->reloc_pieces.at[next].next) {
        uint32_t added = add_sass_entries(elfw, next, target, is_pair);
        if (last)
            elfw->reloc_pieces.at[last].next = added;
        else
            section->first_piece = added;
        last = added;
    }
    section->last_piece = last;
}
