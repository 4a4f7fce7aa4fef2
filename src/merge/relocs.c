#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "merge/addresses.h"
#include "merge/merge.h"

#include <inttypes.h>

static void
check_table(struct elfw *elfw, struct object *object, uint32_t input)
{
    const struct elf_view *elf = &object->elf;
    const Elf64_Shdr *section = &elf->sections[input];
    uint64_t entsize = section->sh_type == SHT_RELA ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);

    if (section->sh_entsize != entsize || section->sh_size % entsize != 0)
        DAMAGED(elfw, object, input, 0, "0x%" PRIx64 " bytes in entries of 0x%" PRIx64,
                section->sh_size, section->sh_entsize);
    if (section->sh_info == 0 || section->sh_info >= elf->section_count)
        diag_fatal(elfw->diag,
                   "Internal error: unexpected reloc section (in '%s', section '%s', offset "
                   "0x%" PRIx64 ": it relocates section %u of %u)",
                   object->name, elf_section_name(elf, input), section->sh_offset, section->sh_info,
                   elf->section_count);
    if (!object->sections[section->sh_info] || elf_contents(elf, section->sh_info).size == 0)
        diag_fatal(elfw->diag,
                   "Internal error: unexpected reloc section (in '%s', section '%s', offset "
                   "0x%" PRIx64 ": '%s' cannot be relocated)",
                   object->name, elf_section_name(elf, input), section->sh_offset,
                   elf_section_name(elf, section->sh_info));
}

/* A function may have two banks of one name, one of them left by losing definitions: each has its
   table. The one that was prepared for slots of textures takes no entries of inputs. */
static uint32_t
find_table(const struct elfw *elfw, uint32_t owner, uint32_t name, uint32_t target)
{
    uint32_t found = elfw_find_joined(elfw, owner, name);

    while (owner && found &&
           (elfw_section(elfw, found)->name_id != name ||
            elfw_section(elfw, found)->target != target || elfw_is_companion(elfw, found)))
        found = elfw_section(elfw, found)->next_owned;
    return found;
}

/* Relocation sections of a function's sections belong to the function too. */
static uint32_t
relocation_section(struct elfw *elfw, uint32_t name, uint32_t type, uint32_t target)
{
    uint32_t owner = elfw_section(elfw, target)->owner;
    uint32_t found = find_table(elfw, owner, name, target);

    if (found && elfw_section(elfw, found)->type != type)
        diag_fatal(elfw->diag,
                   "Internal error: unexpected reloc section (section '%s' of two types)",
                   name_at(&elfw->names, name)->text);
    if (found)
        return found;
    if (!elfw_section(elfw, target)->first_table_type && type != SHT_CUDA_RESOLVED_RELA)
        elfw_section(elfw, target)->first_table_type = (uint8_t)type;
    return elfw_add_section(elfw,
                            &(struct new_section){
                                .name_id = name,
                                .type = type,
                                .flags = SHF_INFO_LINK,
                                .align = 8,
                                .entsize = type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela),
                                .owner = owner,
                                .target = target,
                            });
}

static void
append_entries(struct elfw *elfw, const struct object *object, uint32_t input, uint32_t section,
               enum reloc_selection selection)
{
    uint32_t piece = elfw->reloc_pieces.count;
    uint32_t target = object->elf.sections[input].sh_info;
    struct section *table = elfw_section(elfw, section);

    array_push(&elfw->reloc_pieces, elfw->arena,
               ((struct reloc_piece){
                   .entries = elf_contents(&object->elf, input),
                   .base = object->bases[target],
                   .object = object->number,
                   .input = input,
                   .input_target = target,
                   .is_rela = object->elf.sections[input].sh_type == SHT_RELA,
                   .selection = (uint8_t)selection,
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

/*
 * A descriptor makes a function callable from elsewhere. So does an address in data; the compiler
 * says so in the call graph, but what an input says there of a definition that lost is void, while
 * its data stays: see dead_code.c.
 */
static void
note_taken_address(struct elfw *elfw, uint32_t function, uint32_t type, bool is_lost_in_data)
{
    const struct reloc_kind *kind = reloc_kind(type);

    if (kind && kind->class == RELOC_DESCRIPTOR)
        elfw_function(elfw, function)->is_address_taken = true;
    if (is_lost_in_data)
        elfw_function(elfw, function)->is_in_data = true;
}

/* Constants of the compiler are its jump tables. */
static bool
is_data(const Elf64_Shdr *section)
{
    return section->sh_flags & SHF_ALLOC && !(section->sh_flags & SHF_EXECINSTR) &&
           section->sh_type != SHT_CUDA_CONSTANT2;
}

/* What one look at all entries of an input table tells; those that are dropped do not count. */
struct table_facts {
    uint32_t count;
    bool names_moved_section; /* some entry means a later part of a section */
    bool begins_moved;        /* the first entry does */
    bool has_unmoved;         /* some entry does not */
    bool has_plain_entry;     /* an entry other than the first has no addend */
};

/* Checks every symbol index and notes which functions use shared variables and textures. */
static struct table_facts
scan_entries(struct elfw *elfw, const struct object *object, uint32_t input, uint32_t function)
{
    const struct elf_view *elf = &object->elf;
    struct bytes entries = elf_contents(elf, input);
    size_t entsize = elf->sections[input].sh_entsize;
    bool is_rela = elf->sections[input].sh_type == SHT_RELA;
    uint32_t target = elf->sections[input].sh_info;
    bool has_lost = object->lost_count || object->has_lost_symbols;
    bool is_line = has_lost && is_line_section(elf_section_name(elf, target));
    bool may_drop = object->lost_count || (is_line && object->has_lost_symbols);
    bool is_of_data = is_data(&elf->sections[target]);
    struct table_facts facts = {0};

    for (size_t at = 0; at < entries.size; at += entsize) {
        uint32_t symbol = entry_symbol(entries.at + at);

        if (symbol >= elf->symbol_count)
            DAMAGED(elfw, object, input, at, "symbol index %u is past the table of %u", symbol,
                    elf->symbol_count);
        if (may_drop &&
            object_drops_entry(object, target, is_line, symbol, entry_offset(entries.at + at)))
            continue;
        int32_t index = object->symbols[symbol];
        const struct symbol_record *record = elfw_get_symbol(elfw, index);
        uint32_t named = symbol_function(record);
        if (named)
            note_taken_address(elfw, named, entry_type(entries.at + at),
                               is_of_data && object->fates[symbol] == SYMBOL_LOST);
        else if (function && index && is_laid_out_by_use(record))
            array_push(&elfw->data_uses, elfw->arena,
                       ((struct data_use){function, index, object->number}));
        bool is_moved = !named && ELF64_ST_TYPE(elf->symbols[symbol].st_info) == STT_SECTION &&
                        object_section_base(object, symbol) != 0;
        facts.begins_moved |= is_moved && facts.count == 0;
        facts.names_moved_section |= is_moved;
        facts.has_unmoved |= !is_moved;
        if (is_rela && facts.count > 0)
            facts.has_plain_entry |= entry_addend(entries.at + at) == 0;
        facts.count++;
    }
    return facts;
}

/* The section's name behind the prefix: as a rule that is how the input calls its table. */
static uint32_t
table_name(struct elfw *elfw, const struct object *object, uint32_t input, const char *prefix,
           uint32_t target)
{
    uint32_t own = object->section_notes[input].name_id;
    const char *name = elfw_section_name(elfw, elfw_section(elfw, target));
    const char *given = name_at(&elfw->names, own)->text;

    if (text_begins(given, prefix) && !strcmp(given + strlen(prefix), name))
        return own;
    return name_map_add(&elfw->names, arena_join(elfw->arena, prefix, name));
}

static void
add_resolved_table(struct elfw *elfw, const struct object *object, uint32_t input, uint32_t target)
{
    uint32_t name = table_name(elfw, object, input, ".nv.resolvedrela", target);
    uint32_t table = relocation_section(elfw, name, SHT_CUDA_RESOLVED_RELA, target);

    append_entries(elfw, object, input, table, SELECT_ALL);
}

static uint32_t
table_of(struct elfw *elfw, const struct object *object, uint32_t input, uint32_t type,
         uint32_t target)
{
    uint32_t name = table_name(elfw, object, input, type == SHT_RELA ? ".rela" : ".rel", target);
    return relocation_section(elfw, name, type, target);
}

/* Entries without addends of which some get one, or with --force-rela all: the tables are created as
   entries need them, even if one then stays empty. */
static void
split_table(struct elfw *elfw, struct object *object, uint32_t input, uint32_t target,
            const struct table_facts *facts)
{
    bool all = elfw_flag(elfw, MERGE_FORCE_RELA);

    if (facts->has_unmoved && !facts->begins_moved)
        table_of(elfw, object, input, SHT_REL, target);
    append_entries(elfw, object, input, table_of(elfw, object, input, SHT_RELA, target),
                   all ? SELECT_ALL : SELECT_MOVED);
    uint32_t rest = facts->has_unmoved ? table_of(elfw, object, input, SHT_REL, target) : 0;
    if (rest && !all)
        append_entries(elfw, object, input, rest, SELECT_UNMOVED);
}

/* An input table becomes one of the output, or two where entries change their form. */
static void
merge_table(struct elfw *elfw, struct object *object, uint32_t input)
{
    const Elf64_Shdr *section = &object->elf.sections[input];
    uint32_t target = object->sections[section->sh_info];
    struct table_facts facts = scan_entries(elfw, object, input, elfw_text_owner(elfw, target));
    bool is_rel = section->sh_type == SHT_REL;

    if (!facts.count)
        return;
    if (is_rel && (facts.names_moved_section || elfw_flag(elfw, MERGE_FORCE_RELA))) {
        split_table(elfw, object, input, target, &facts);
    } else {
        append_entries(elfw, object, input, table_of(elfw, object, input, section->sh_type, target),
                       SELECT_ALL);
    }
    if (elfw_flag(elfw, MERGE_PRESERVE_RELOCS))
        add_resolved_table(elfw, object, input, target);
    /* nvlink creates the form without addends too where an entry could do without. It stays empty,
       but its name is in the string tables. */
    if (facts.has_plain_entry)
        table_of(elfw, object, input, SHT_REL, target);
}

/* What a losing definition brings is dropped, except for its constants: see sections.c. */
static bool
goes_with_loser(const struct object *object, uint32_t target)
{
    uint32_t type = object->elf.sections[target].sh_type;
    bool is_kept = is_constant_bank(type) && type != SHT_CUDA_CONSTANT0 && object->sections[target];

    return belongs_to_loser(object, target) && !is_kept;
}

void
merge_relocations(struct elfw *elfw, struct object *object)
{
    for (uint32_t i = 1; i < object->elf.section_count; i++) {
        const Elf64_Shdr *section = &object->elf.sections[i];

        if (!is_relocation_table(section->sh_type) || section->sh_size == 0)
            continue;
        if (section->sh_info < object->elf.section_count &&
            goes_with_loser(object, section->sh_info))
            continue;
        check_table(elfw, object, i);
        if (object->elf.sections[section->sh_info].sh_type == SHT_CUDA_CONSTANT4)
            merge_addresses(elfw, object, i);
        merge_table(elfw, object, i);
    }
}
