#include "merge/addresses.h"

#include "cubin/cubin.h"
#include "cubin/reloc_entry.h"
#include "merge/merge.h"

/*
 * Code that may be anywhere (ptxas -pic) reads addresses from a bank of its own. Each input brings a
 * word for every symbol that it defines or uses; the symbol of the word, $ADDRESS$X, is resolved like any
 * other, so that one of these words is used and the others stay without a purpose. Most of them keep
 * their relocations, but as nvlink does it
 *
 *   - the word of a function does not whose definition loses;
 *   - the word of a weak variable does not, if there was a definition before it;
 *   - those of a weak variable do not that came before the definition that replaced it.
 */
static struct addressed_name *
addressed_name(struct elfw *elfw, uint32_t name)
{
    while (elfw->addressed_names.count <= name)
        array_push(&elfw->addressed_names, elfw->arena, ((struct addressed_name){0}));
    return &elfw->addressed_names.at[name];
}

static bool
is_defined(const struct elf_view *elf, uint32_t symbol)
{
    return symbol < elf->symbol_count && elf->symbols[symbol].st_shndx != SHN_UNDEF &&
           elf->symbols[symbol].st_shndx != SHN_COMMON &&
           ELF64_ST_BIND(elf->symbols[symbol].st_info) != STB_LOCAL;
}

/* Did the definition of the input lose? */
static bool
meets_definition(struct elfw *elfw, const struct object *object, uint32_t symbol)
{
    uint8_t info = object->elf.symbols[symbol].st_info;
    const struct symbol_record *record = elfw_get_symbol(elfw, object->symbols[symbol]);

    if (ELF64_ST_TYPE(info) == STT_FUNC)
        return object->fates[symbol] == SYMBOL_LOST;
    struct addressed_name *name = addressed_name(elfw, record->name_id);
    bool is_first = !name->is_defined;

    name->is_defined = true;
    if (!is_first && ELF64_ST_BIND(info) != STB_WEAK)
        name->used_from = object->number;
    return !is_first && ELF64_ST_BIND(info) == STB_WEAK;
}

void
merge_addresses(struct elfw *elfw, struct object *object, uint32_t table)
{
    const Elf64_Shdr *section = &object->elf.sections[table];
    struct bytes entries = elf_contents(&object->elf, table);
    uint32_t bank = section->sh_info;

    for (size_t at = 0; entries.at && at + section->sh_entsize <= entries.size;
         at += section->sh_entsize) {
        uint32_t symbol = entry_symbol(entries.at + at);
        uint64_t offset = entry_offset(entries.at + at);

        if (is_defined(&object->elf, symbol) && meets_definition(elfw, object, symbol))
            object_lose_range(object, elfw->arena, bank, offset, offset + sizeof(uint64_t));
    }
    object_order_lost(object);
}
