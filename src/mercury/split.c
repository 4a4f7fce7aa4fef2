#include "mercury/mercury.h"

#include "mercury/debug.h"
#include "mercury/twins.h"
#include "merge/merge.h"

#include "cubin/reloc_table.h"

/* Not one of the link: it has no symbol, and no name but that of its counterpart. */
static void
add_twin(struct elfw *elfw, uint32_t index, const struct twin_kind *kind)
{
    const struct section *section = elfw_section(elfw, index);
    const char *name = elfw_section_name(elfw, section);
    struct section twin = {
        .name_id = section->name_id,
        .type = kind->type,
        .flags = (section->flags & ~kind->plain_flags) | SHF_CUDA_MERCURY,
        .size = section->size,
        .align = kind->align ? kind->align : section->align,
        .entsize = section->entsize,
        .owner = section->owner,
        .target = section->target,
        .first_piece = section->first_piece,
        .last_piece = section->last_piece,
        .first_table_type = section->first_table_type,
        .has_image_slots = section->has_image_slots,
        .twin = index,
        .is_mercury = true,
        .shares_bytes = twin_shares_bytes(name, section->type, section->flags, section->size),
    };

    elfw_section(elfw, index)->twin = elfw->sections.count;
    array_push(&elfw->sections, elfw->arena, twin);
}

/* Constants of a loser name places in its code; they mean something only in code that is the same. */
static bool
is_same_code(const struct elfw *elfw, const struct piece *piece)
{
    const struct object *object = elfw->objects.at[piece->object];
    uint32_t capsule = object->elf.sections[piece->input].sh_info;
    uint32_t winner = elfw_section(elfw, object->sections[capsule])->owner;
    struct bytes loser_text = elf_contents(&object->elf, object->elf.twins[capsule]);
    struct bytes winner_text = mercury_sass_text(elfw, winner);

    return loser_text.size == winner_text.size &&
           !memcmp(loser_text.at, winner_text.at, loser_text.size);
}

/* The bytes that stand for those of a piece in the SASS view. */
static struct bytes
sass_bytes(const struct elfw *elfw, const struct piece *piece)
{
    const struct elf_view *elf = &elfw->objects.at[piece->object]->elf;

    if (!piece->object || !elf->twins[piece->input] ||
        (piece->is_loser && !is_same_code(elfw, piece)))
        return (struct bytes){piece->bytes, piece->size};
    return elf_contents(elf, elf->twins[piece->input]);
}

/* Data has its places already, the same in both views; the rest is laid out anew. */
static void
take_sass_pieces(struct elfw *elfw, uint32_t index)
{
    uint32_t next = elfw_section(elfw, index)->first_piece;
    bool is_data = elfw_section(elfw, index)->flags & SHF_ALLOC &&
                   !(elfw_section(elfw, index)->flags & SHF_EXECINSTR);
    uint64_t size = elfw_section(elfw, index)->size;

    elfw_clear_section(elfw, index);
    for (; next; next = elfw->pieces.at[next].next) {
        struct piece piece = elfw->pieces.at[next];
        struct bytes bytes = sass_bytes(elfw, &piece);
        const struct object *object = elfw->objects.at[piece.object];

        if (is_data)
            elfw_section(elfw, index)->size = piece.base;
        if (is_data && bytes.size > piece.size)
            bytes.size = piece.size;
        uint64_t base = elfw_append(elfw, index, bytes, bytes.size, is_data ? 1 : piece.align);
        uint32_t input = piece.object ? object->elf.twins[piece.input] : 0;
        if (input)
            object->bases[input] = base;
        if (bytes.size)
            elfw_mark_piece(elfw, index, object, input);
    }
    if (is_data)
        elfw_section(elfw, index)->size = size;
}

static void
take_sass_text(struct elfw *elfw, uint32_t index)
{
    uint32_t first = elfw_section(elfw, index)->first_piece;
    const struct piece *piece = &elfw->pieces.at[first];
    const struct elf_view *elf = &elfw->objects.at[piece->object]->elf;
    uint64_t align = elf->sections[elf->twins[piece->input]].sh_addralign;

    take_sass_pieces(elfw, index);
    elfw_section(elfw, index)->align = align;
}

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

/* The entries of SASS that go with those of mercury. */
static uint32_t
add_sass_entries(struct elfw *elfw, uint32_t mercury, bool is_pair)
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
    return added;
}

/* The tables of SASS in place of those of mercury. */
static void
take_sass_tables(struct elfw *elfw, uint32_t index)
{
    struct section *section = elfw_section(elfw, index);
    bool is_code_or_data = elfw_section(elfw, section->target)->flags & SHF_ALLOC;
    bool is_pair = is_code_or_data && is_relocation_table(section->type);
    uint32_t next = section->first_piece, last = 0;

    section->first_piece = 0;
    section->follows_twin = is_pair;
    for (; next; next = elfw->reloc_pieces.at[next].next) {
        uint32_t added = add_sass_entries(elfw, next, is_pair);
        if (last)
            elfw->reloc_pieces.at[last].next = added;
        else
            section->first_piece = added;
        last = added;
    }
    section->last_piece = last;
}

static uint32_t
parameter_input(const struct elfw *elfw, uint32_t kernel)
{
    const struct function *function = elfw_function(elfw, kernel);
    const struct elf_view *elf = &elfw->objects.at[function->object]->elf;
    uint32_t capsule = elf_symbol_section(elf, function->input_symbol);

    return capsule < elf->section_count ? elf->parameter_banks[elf->twins[capsule]] : 0;
}

struct bytes
mercury_parameters(const struct elfw *elfw, uint32_t kernel)
{
    uint32_t object = elfw_function(elfw, kernel)->object;
    uint32_t input = parameter_input(elfw, kernel);

    return input ? elf_contents(&elfw->objects.at[object]->elf, input) : (struct bytes){0};
}

/* Parameters have no place in mercury: each kernel that stays has a bank in the SASS view. */
static void
add_parameter_bank(struct elfw *elfw, uint32_t kernel)
{
    const struct function *function = elfw_function(elfw, kernel);
    const struct elf_view *elf = &elfw->objects.at[function->object]->elf;
    uint32_t input = parameter_input(elfw, kernel);
    struct bytes contents = mercury_parameters(elfw, kernel);

    if (!input)
        return;
    struct section bank = {
        .name_id = name_map_add(&elfw->section_names, elf_section_name(elf, input)),
        .type = SHT_CUDA_CONSTANT0,
        .flags = SHF_ALLOC | SHF_INFO_LINK,
        .align = elf->sections[input].sh_addralign,
        .target = function->text,
        .is_parameter_bank = true,
    };
    uint32_t added = elfw->sections.count;
    array_push(&elfw->sections, elfw->arena, bank);
    elfw_append(elfw, added, contents, contents.size, 1);
    elfw_function(elfw, kernel)->parameters = added;
}

/* Texture slots, alone in mercury, stand behind the parameters in the SASS view. */
static void
take_parameters(struct elfw *elfw, uint32_t bank)
{
    uint64_t slots = elfw_section(elfw, bank)->size;
    uint32_t kernel = elfw_section(elfw, bank)->owner;
    struct bytes contents = mercury_parameters(elfw, kernel);

    elfw_clear_section(elfw, bank);
    elfw_append(elfw, bank, contents, contents.size, 1);
    elfw_section(elfw, bank)->size = elfw->sass_slots + slots;
    elfw_function(elfw, kernel)->parameters = bank;
}

static bool
is_table(const struct elfw *elfw, uint32_t index)
{
    return holds_entries(elfw_section(elfw, index)->type);
}

static void
take_sass_contents(struct elfw *elfw, uint32_t index)
{
    const struct section *section = elfw_section(elfw, index);

    if (section->flags & SHF_EXECINSTR)
        take_sass_text(elfw, index);
    else if (section->type == SHT_CUDA_CONSTANT0)
        take_parameters(elfw, index);
    else if (!section->shares_bytes)
        take_sass_pieces(elfw, index);
}

static void
add_twins(struct elfw *elfw, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct section *section = elfw_section(elfw, i);
        const struct twin_kind *kind = twin_kind_for(section->type, section->flags);

        if (section->state == SECTION_LIVE && kind)
            add_twin(elfw, i, kind);
    }
    for (uint32_t i = 1; i < count; i++) {
        struct section *twin = elfw_section(elfw, elfw_section(elfw, i)->twin);
        if (elfw_section(elfw, i)->twin && twin->target)
            twin->target = elfw_section(elfw, twin->target)->twin;
    }
}

static void
rename_section(struct elfw *elfw, uint32_t index)
{
    const struct section *section = elfw_section(elfw, index);
    uint32_t type = section->type;

    if (holds_entries(type))
        type = elfw_section(elfw, section->target)->type;
    if (!is_constant_bank(type))
        return;
    const char *name = elfw_section_name(elfw, elfw_section(elfw, index));
    const char *new_name = sass_name(elfw->arena, name);

    if (new_name != name)
        elfw_section(elfw, index)->sass_name = new_name;
}

void
mercury_reserve_shared(struct elfw *elfw)
{
    for (uint32_t i = 1; i < elfw->sections.count && !elfw_flag(elfw, MERGE_RELOCATABLE); i++) {
        struct section *section = elfw_section(elfw, i);

        if (section->is_mercury || section->state != SECTION_LIVE)
            continue;
        if (section->type == SHT_CUDA_SHARED_RESERVED)
            section->size += elfw->arch->generation->reserved_offset;
        if (section->type != SHT_CUDA_SHARED)
            continue;
        section->has_no_symbol |= !section->size;
        section->size += elfw_reserved_shared(elfw);
    }
}

void
mercury_split(struct elfw *elfw)
{
    uint32_t count = elfw->sections.count;

    for (uint32_t i = 1; i < count; i++)
        rename_section(elfw, i);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t kernel = elfw_text_owner(elfw, i);
        if (kernel && elfw_function_is_defined_entry(elfw, kernel) &&
            !elfw_function(elfw, kernel)->is_dead &&
            !elfw_owned_section(elfw, kernel, SHT_CUDA_CONSTANT0))
            add_parameter_bank(elfw, kernel);
    }
    add_twins(elfw, count);
    for (uint32_t i = 1; i < count; i++)
        if (elfw_section(elfw, i)->twin && !is_table(elfw, i))
            take_sass_contents(elfw, i);
    for (uint32_t i = 1; i < count; i++)
        if (elfw_section(elfw, i)->twin && is_table(elfw, i))
            take_sass_tables(elfw, i);
    mercury_rebuild_debug(elfw);
}
