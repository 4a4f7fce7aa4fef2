#include "merge/merge.h"

#include <inttypes.h>

static void
check_table(struct elfw *elfw, struct object *object, uint32_t input)
{
    const struct elf_view *elf = &object->elf;
    const Elf64_Shdr *section = &elf->sections[input];
    uint64_t entsize =
        section->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);

    if (section->sh_entsize != entsize || section->sh_size % entsize != 0)
        DAMAGED(elfw, object, input, 0, "0x%" PRIx64 " bytes in entries of 0x%" PRIx64,
                section->sh_size, section->sh_entsize);
    if (section->sh_info == 0 || section->sh_info >= elf->section_count)
        DAMAGED(elfw, object, input, 0, "relocates section %u of %u", section->sh_info,
                elf->section_count);
    if (!object->sections[section->sh_info] || elf_contents(elf, section->sh_info).size == 0)
        DAMAGED(elfw, object, input, 0, "unexpected reloc section: '%s' cannot be relocated",
                elf_section_name(elf, section->sh_info));
}

/* Relocation sections of a function's sections belong to the function too. */
static uint32_t
relocation_section(struct elfw *elfw, const char *name, uint32_t type, uint32_t target)
{
    uint32_t owner = elfw_section(elfw, target)->owner;
    uint32_t found =
        owner ? elfw_owned_by_name(elfw, owner, name) : elfw_find_section(elfw, name);

    if (found)
        return found;
    return elfw_add_section(
        elfw, &(struct new_section){
                  .name = name,
                  .type = type,
                  .flags = SHF_INFO_LINK,
                  .align = 8,
                  .entsize = type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel),
                  .owner = owner,
                  .target = target,
              });
}

static void
append_entries(struct elfw *elfw, const struct object *object, uint32_t input, uint32_t section)
{
    uint32_t piece = elfw->reloc_pieces.count;
    uint32_t target = object->elf.sections[input].sh_info;
    struct section *table = elfw_section(elfw, section);

    array_push(&elfw->reloc_pieces, elfw->arena,
               ((struct reloc_piece){
                   .entries = elf_contents(&object->elf, input),
                   .base = object->bases[target],
                   .object = object->number,
                   .input_target = target,
               }));
    if (table->last_piece)
        elfw->reloc_pieces.at[table->last_piece].next = piece;
    else
        table->first_piece = piece;
    table->last_piece = piece;
}

static bool
is_laid_out_by_use(const struct symbol_record *symbol)
{
    unsigned type = symbol_type(symbol);
    return is_image_type(type) ||
           (type == STT_CUDA_OBJECT && memory_space(symbol->st_other) == STO_CUDA_SHARED);
}

/* Checks every symbol index and notes which functions use shared variables and textures. */
static void
scan_entries(struct elfw *elfw, const struct object *object, uint32_t input, uint32_t function)
{
    struct bytes entries = elf_contents(&object->elf, input);
    size_t entsize = object->elf.sections[input].sh_entsize;

    for (size_t at = 0; at < entries.size; at += entsize) {
        uint32_t symbol = (uint32_t)(read_u64(entries.at + at + 8) >> 32);

        if (symbol >= object->elf.symbol_count)
            DAMAGED(elfw, object, input, at, "symbol index %u is past the table of %u", symbol,
                    object->elf.symbol_count);
        int32_t index = object->symbols[symbol];
        if (function && index && is_laid_out_by_use(elfw_get_symbol(elfw, index)))
            array_push(&elfw->data_uses, elfw->arena,
                       ((struct data_use){function, index, object->number}));
    }
}

/*
 * nvlink creates the REL form too as soon as a RELA entry other than the first has no addend. It
 * stays empty, but its name is in the string tables.
 */
static bool
has_plain_entry(struct bytes entries)
{
    for (size_t at = sizeof(Elf64_Rela); at < entries.size; at += sizeof(Elf64_Rela))
        if (read_u64(entries.at + at + offsetof(Elf64_Rela, r_addend)) == 0)
            return true;
    return false;
}

void
merge_relocations(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count; i++) {
        const Elf64_Shdr *section = &object->elf.sections[i];
        const char *name = elf_section_name(&object->elf, i);

        if (!is_relocation_table(section->sh_type) || section->sh_size == 0)
            continue;
        if (section->sh_info < object->elf.section_count &&
            belongs_to_loser(object, section->sh_info))
            continue;
        check_table(elfw, object, i);
        uint32_t target = object->sections[section->sh_info];
        uint32_t table = relocation_section(elfw, name, section->sh_type, target);
        scan_entries(elfw, object, i, elfw_text_owner(elfw, target));
        append_entries(elfw, object, i, table);
        if (section->sh_type == SHT_RELA && !strncmp(name, ".rela", 5) &&
            has_plain_entry(elf_contents(&object->elf, i)))
            relocation_section(elfw, arena_format(elfw->arena, ".rel%s", name + 5), SHT_REL,
                               target);
    }
}
