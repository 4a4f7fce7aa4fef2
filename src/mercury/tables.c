#include "cubin/reloc_table.h"
#include "mercury/capsule.h"
#include "mercury/leaf_kernels.h"
#include "mercury/reloc_pairs.h"
#include "mercury/split.h"
#include "merge/merge.h"
#include "relocate/entry_walk.h"

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

/* Entries of both views that were found to go together. */
struct pair {
    struct elfw *elfw;
    const struct object *object;
    uint32_t table; /* of SASS */
    size_t at;      /* of the entry in it */
    const uint8_t *mercury, *sass;
    bool is_code;
};

enum { TYPE_AT = 8, SYMBOL_AT = 12, ADDEND_AT = 16 };

#define DAMAGED_PAIR(pair, ...)                                                                    \
    DAMAGED((pair)->elfw, (pair)->object, (pair)->table, (pair)->at, __VA_ARGS__)

/* Code stands in the same order in both views, and so do numbers that are places in it. */
static bool
is_same_order(const struct pair *one, const struct pair *other, size_t field)
{
    uint64_t here = read_u64(one->mercury + field), before = read_u64(other->mercury + field);
    uint64_t sass = read_u64(one->sass + field), sass_before = read_u64(other->sass + field);

    return (here < before) == (sass < sass_before) && (here == before) == (sass == sass_before);
}

/* An instruction of 16 bytes, in the order of those of the other view. */
static void
check_code_places(const struct pair *pair, const struct pair *before, uint64_t size)
{
    enum { MOST_PER_INSTRUCTION = 2 }; /* mercury has up to 32 bytes for one of 16 */
    uint32_t type = read_u32(pair->mercury + TYPE_AT);
    bool is_place = names_place(type);

    if (!is_place_of_reloc(type, read_u64(pair->mercury)) ||
        read_u64(pair->mercury) / MOST_PER_INSTRUCTION >= size)
        DAMAGED_PAIR(pair, "the other view has its place at 0x%llx",
                     (unsigned long long)read_u64(pair->mercury));
    if (read_u64(pair->sass) % SASS_INSTRUCTION)
        DAMAGED_PAIR(pair, "there is no instruction at 0x%llx",
                     (unsigned long long)read_u64(pair->sass));
    if (before->sass && !is_same_order(pair, before, 0))
        DAMAGED_PAIR(pair, "the place is not that of the other view");
    if (!is_place)
        return;
    if (read_u64(pair->sass + ADDEND_AT) % SASS_INSTRUCTION ||
        (before->sass && names_place(read_u32(before->mercury + TYPE_AT)) &&
         read_u32(pair->sass + SYMBOL_AT) == read_u32(before->sass + SYMBOL_AT) &&
         !is_same_order(pair, before, ADDEND_AT)))
        DAMAGED_PAIR(pair, "the addend is not that of the other view");
}

static void
check_entries(const struct pair *pair, const struct pair *before, uint64_t size)
{
    uint32_t mercury_type = read_u32(pair->mercury + TYPE_AT);
    uint32_t type = read_u32(pair->sass + TYPE_AT);
    uint64_t offset = read_u64(pair->sass);

    if (read_u32(pair->sass + SYMBOL_AT) != read_u32(pair->mercury + SYMBOL_AT))
        DAMAGED_PAIR(pair, "the relocations are not those of the other view");
    if (!names_place(mercury_type) &&
        read_u64(pair->mercury + ADDEND_AT) != read_u64(pair->sass + ADDEND_AT))
        DAMAGED_PAIR(pair, "the addend is not that of the other view");
    if (!reloc_kind(type) || type >= R_MERCURY_FIRST)
        DAMAGED_PAIR(pair, "relocation of the unknown type %u", type);
    if (!reloc_types_fit(mercury_type, type, pair->is_code))
        DAMAGED_PAIR(pair, "type %u, and 0x%x in the other view", type, mercury_type);
    if (offset >= size)
        DAMAGED_PAIR(pair, "the relocation is past the end");
    if (pair->is_code)
        check_code_places(pair, before, size);
    else if (offset != read_u64(pair->mercury))
        DAMAGED_PAIR(pair, "the place is not that of the other view");
}

/* Code and data: the entries of both views are the same, one by one, but for those that only mercury
   has. */
static void
check_pair(struct elfw *elfw, const struct reloc_piece *mercury, const struct reloc_piece *sass)
{
    const struct object *object = elfw->objects.at[sass->object];
    const Elf64_Shdr *target = &object->elf.sections[sass->input_target];
    struct pair pair = {.elfw = elfw, .object = object, .table = sass->input}, before = {0};

    pair.is_code = target->sh_flags & SHF_EXECINSTR;
    for (size_t there = 0; there < mercury->entries.size; there += sizeof(Elf64_Rela)) {
        const uint8_t *entry = mercury->entries.at + there;

        if (!has_follower(object, read_u32(entry + SYMBOL_AT), read_u32(entry + TYPE_AT)))
            continue;
        if (pair.at == sass->entries.size)
            DAMAGED_PAIR(&pair, "the relocations are not those of the other view");
        pair.mercury = entry;
        pair.sass = sass->entries.at + pair.at;
        check_entries(&pair, &before, target->sh_size);
        before = pair;
        pair.at += sizeof(Elf64_Rela);
    }
    if (pair.at != sass->entries.size)
        DAMAGED_PAIR(&pair, "the other view has no such relocation");
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
