#include "cubin/reloc_table.h"
#include "mercury/leaf_kernels.h"
#include "mercury/split.h"
#include "merge/merge.h"

static void
check_sass_table(struct elfw *elfw, const struct object *object, uint32_t table)
{
    const Elf64_Shdr *section = &object->elf.sections[table];
    struct bytes entries = elf_contents(&object->elf, table);

    if (section->sh_entsize != sizeof(Elf64_Rela) || section->sh_size % sizeof(Elf64_Rela))
        DAMAGED(elfw, object, table, 0, "0x%llx bytes in entries of 0x%llx",
                (unsigned long long)section->sh_size, (unsigned long long)section->sh_entsize);
    for (size_t at = 0; at < entries.size; at += sizeof(Elf64_Rela)) {
        uint32_t symbol = (uint32_t)(read_u64(entries.at + at + 8) >> 32);
        if (symbol >= object->elf.symbol_count)
            DAMAGED(elfw, object, table, at, "symbol index %u is past the table of %u", symbol,
                    object->elf.symbol_count);
    }
}

/* Places inside of code are others in mercury. */
static bool
names_place(uint32_t mercury_type)
{
    return mercury_type == R_MERCURY_ABS_PROG_REL32_LO ||
           mercury_type == R_MERCURY_ABS_PROG_REL32_HI;
}

/* Code and data: the entries of both views are the same, one by one, but for those that only mercury
   has. */
static void
check_pair(struct elfw *elfw, const struct reloc_piece *mercury, const struct reloc_piece *sass)
{
    const struct object *object = elfw->objects.at[sass->object];
    uint64_t size = object->elf.sections[sass->input_target].sh_size;
    size_t at = 0;

    for (size_t there = 0; there < mercury->entries.size; there += sizeof(Elf64_Rela)) {
        uint32_t symbol = (uint32_t)(read_u64(mercury->entries.at + there + 8) >> 32);

        if (symbol && symbol == object->capacity_symbol)
            continue;
        if (at == sass->entries.size || read_u64(sass->entries.at + at + 8) >> 32 != symbol)
            DAMAGED(elfw, object, sass->input, at,
                    "the relocations are not those of the other view");
        if (!names_place(read_u32(mercury->entries.at + there + 8)) &&
            read_u64(mercury->entries.at + there + 16) != read_u64(sass->entries.at + at + 16))
            DAMAGED(elfw, object, sass->input, at, "the addend is not that of the other view");
        uint32_t type = (uint32_t)read_u64(sass->entries.at + at + 8);
        if (!reloc_kind(type) || type >= R_MERCURY_FIRST)
            DAMAGED(elfw, object, sass->input, at, "relocation of the unknown type %u", type);
        if (read_u64(sass->entries.at + at) >= size)
            DAMAGED(elfw, object, sass->input, at, "the relocation is past the end");
        at += sizeof(Elf64_Rela);
    }
    if (at != sass->entries.size)
        DAMAGED(elfw, object, sass->input, at, "the other view has no such relocation");
}

/* Relocations of a shortened kernel are behind fewer instructions. */
static void
move_entries(struct elfw *elfw, const struct function *function, struct reloc_piece *piece)
{
    uint8_t *copy = arena_alloc(elfw->arena, piece->entries.size + 1);

    memcpy(copy, piece->entries.at, piece->entries.size);
    for (size_t at = 0; at < piece->entries.size; at += sizeof(Elf64_Rela))
        write_u64(copy + at, moved_place(function, read_u64(copy + at)));
    piece->entries.at = copy;
}

/* The entries of SASS that go with those of mercury. */
static uint32_t
add_sass_entries(struct elfw *elfw, uint32_t mercury, const struct function *function, bool is_pair)
{
    struct reloc_piece piece = elfw->reloc_pieces.at[mercury];
    const struct object *object = elfw->objects.at[piece.object];
    uint32_t table = object->elf.twins[piece.input];
    uint32_t added = elfw->reloc_pieces.count;

    check_sass_table(elfw, object, table);
    piece.entries = elf_contents(&object->elf, table);
    piece.input = table;
    piece.input_target = object->elf.twins[piece.input_target];
    piece.next = 0;
    if (!is_pair)
        piece.base = object->bases[piece.input_target];
    array_push(&elfw->reloc_pieces, elfw->arena, piece);
    /* Jump tables are offsets in SASS already. */
    if (is_pair && piece.entries.size) {
        check_pair(elfw, &elfw->reloc_pieces.at[mercury], &elfw->reloc_pieces.at[added]);
        elfw->reloc_pieces.at[mercury].pair = added;
    }
    if (function->shift)
        move_entries(elfw, function, &elfw->reloc_pieces.at[added]);
    return added;
}

void
take_sass_tables(struct elfw *elfw, uint32_t index)
{
    struct section *section = elfw_section(elfw, index);
    bool is_code_or_data = elfw_section(elfw, section->target)->flags & SHF_ALLOC;
    bool is_pair = is_code_or_data && is_relocation_table(section->type);
    const struct function *function = elfw_function(elfw, elfw_text_owner(elfw, section->target));
    uint32_t next = section->first_piece, last = 0;

    section->first_piece = 0;
    section->follows_twin = is_pair;
    for (; next; next = elfw->reloc_pieces.at[next].next) {
        uint32_t added = add_sass_entries(elfw, next, function, is_pair);
        if (last)
            elfw->reloc_pieces.at[last].next = added;
        else
            section->first_piece = added;
        last = added;
    }
    section->last_piece = last;
}
