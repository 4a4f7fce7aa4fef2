#include "relocate/resolve.h"

#include "mercury/mercury.h"
#include "merge/merge.h"

/* clang-format off */
const uint8_t reloc_treatments[KIND_COUNT][RELOC_CLEAR + 1] = {
    /*                  NONE    LINKER   DRIVER     DESCRIPTOR     BRANCH       YIELD   CLEAR */
    [KIND_FUNCTION] = { T_DROP, T_KEEP,  T_KEEP,    T_KEEP,        T_KEEP,      T_KEEP, T_DROP },
    [KIND_DEAD]     = { T_DROP, T_DROP,  T_DROP,    T_DROP,        T_DROP,      T_DROP, T_ZERO },
    [KIND_DEAD_ALIAS] = { T_DELETED, T_DELETED, T_DELETED, T_DELETED, T_DELETED, T_DELETED, T_DELETED },
    [KIND_FORGOTTEN] = { T_DROP, T_DROP, T_DROP,    T_DROP,        T_DROP,      T_DROP, T_DROP },
    [KIND_RESERVED] = { T_KEEP, T_KEEP,  T_KEEP,    T_NO_FUNCTION, T_KEEP,      T_KEEP, T_KEEP_EMPTY },
    [KIND_GLOBAL]   = { T_KEEP, T_KEEP,  T_KEEP,    T_NO_FUNCTION, T_KEEP,      T_KEEP, T_KEEP },
    [KIND_PLACED]   = { T_DROP, T_APPLY, T_KEEP,    T_NO_FUNCTION, T_NO_BRANCH, T_DROP, T_DROP },
    [KIND_BANK_SIZE] = { T_DROP, T_APPLY, T_KEEP,   T_NO_FUNCTION, T_NO_BRANCH, T_DROP, T_DROP },
    [KIND_SHARED]   = { T_DROP, T_APPLY, T_KEEP,    T_DELETED,     T_NO_BRANCH, T_DROP, T_ZERO },
    [KIND_SYSTEM]   = { T_DROP, T_SPLIT, T_KEEP,    T_NO_FUNCTION, T_NO_BRANCH, T_DROP, T_DROP },
};
/* clang-format on */

struct target_symbol {
    enum symbol_kind kind;
    int32_t index;    /* of a kept entry */
    int32_t alias_of; /* the symbol that stands for it, except in descriptors */
    uint64_t value;   /* S */
    uint64_t slot;
    uint32_t section_type; /* of the section it lies in: gives the bank */
    uint64_t section_base; /* of a section symbol: where the input's part begins */
    bool is_open_array;    /* with an address of its own in each function */
    bool is_line_table;    /* the section, of SASS: its units may be elsewhere */
};

/* A section symbol means the part of this input in the section. */
static struct target_symbol
section_symbol(const struct reloc_place *place, uint32_t input_section)
{
    struct elfw *elfw = place->elfw;
    const uint32_t *twins = place->object->elf.twins;
    uint32_t section = place->object->sections[input_section];
    uint32_t part =
        place->is_sass_side && twins[input_section] ? twins[input_section] : input_section;
    const struct section *in = elfw_section(elfw, section);
    struct target_symbol out = {
        .kind = KIND_PLACED,
        .index = in->symbol,
        .section_type = in->type,
        .section_base = place->object->bases[part],
    };

    /* Line tables are made anew for SASS by every link. */
    bool waits = place->is_sass_side && place->is_relocatable &&
                 is_line_section(elfw_section_name(elfw, in));

    out.is_line_table = place->is_sass_side && elfw->moved_units.count &&
                        !strcmp(elfw_section_name(elfw, in), ".debug_line");
    if (!section || in->state == SECTION_DEAD)
        out.kind = KIND_DEAD;
    else if (is_global_memory(in->type) || waits)
        out.kind = KIND_GLOBAL;
    return out;
}

/* Is it an address in the bank of them that a later definition made void? */
static bool
is_void_address(const struct reloc_place *place, uint32_t symbol)
{
    const struct elfw *elfw = place->elfw;
    const struct object *object = place->object;

    if (!elfw->addressed_names.count ||
        object->elf.sections[place->input].sh_type != SHT_CUDA_CONSTANT4)
        return false;
    uint32_t name = elfw_get_symbol(elfw, object->symbols[symbol])->name_id;
    return name < elfw->addressed_names.count &&
           object->number < elfw->addressed_names.at[name].used_from;
}

/* Symbols that are never created: index 0, untyped ones, undefined locals. */
static struct target_symbol
absent_symbol(const struct reloc_place *place, uint32_t symbol)
{
    const struct elf_view *elf = &place->object->elf;
    /* They count as symbol 0, whose value is not always 0: see layout/constants.c. */
    struct target_symbol out = {.kind = KIND_PLACED, .value = place->elfw->null_symbol_value};

    if (place->object->fates[symbol] == SYMBOL_LOST)
        out.kind = KIND_DEAD;
    else if (ELF64_ST_TYPE(elf->symbols[symbol].st_info) != STT_NOTYPE &&
             !strcmp(elf_symbol_name(elf, symbol), CONSTANT_BANK_SIZE))
        out = (struct target_symbol){.kind = KIND_BANK_SIZE,
                                     .value = elfw_constant_bank_size(place->elfw)};
    return out;
}

static struct target_symbol
shared_symbol(const struct reloc_place *place, const struct symbol_record *symbol)
{
    const struct elfw *elfw = place->elfw;
    const struct placed *placed = &elfw->placed.at[symbol->data_ordinal];
    struct target_symbol out = {
        .kind = KIND_SHARED,
        .index = symbol->sym_index,
        .value = placed->address,
        .slot = symbol->st_value,
        .section_type = placed->is_open_array ? 0 : SHT_CUDA_SHARED,
    };

    /* An open array begins elsewhere in every function, so outside code it has no address. */
    if (placed->is_open_array && !elfw_flag(elfw, MERGE_DEBUG))
        out.value = !place->function          ? UINT64_MAX
                    : elfw->open_shared_start ? elfw->open_shared_start[place->function]
                                              : 0;
    out.is_open_array = placed->is_open_array && !elfw_flag(elfw, MERGE_DEBUG);
    return out;
}

static struct target_symbol
undefined_symbol(const struct elfw *elfw, const struct symbol_record *symbol)
{
    struct target_symbol out = {.kind = KIND_PLACED, .index = symbol->sym_index};
    unsigned role = name_at(&elfw->names, symbol->name_id)->role;

    if (role == ROLE_UNIFIED_TABLE)
        out.kind = KIND_FORGOTTEN;
    else if (role == ROLE_LOADER_OBJECT)
        out.kind = KIND_RESERVED;
    else if (memory_space(symbol->st_other) == STO_CUDA_GLOBAL)
        out.kind = KIND_GLOBAL;
    else
        out.value = UINT64_MAX; /* a weak reference that nothing defines */
    return out;
}

/* A hidden function is known to nobody else: the linker resolves what it can. */
static struct target_symbol
function_symbol(const struct elfw *elfw, const struct symbol_record *symbol)
{
    const struct function *function = elfw_function(elfw, symbol_function(symbol));
    struct target_symbol out = {.kind = KIND_FUNCTION, .index = symbol->sym_index};

    if (function->is_dead)
        out.kind = function->is_alias ? KIND_DEAD_ALIAS : KIND_DEAD;
    else if (function->is_alias && !function->is_inner && !symbol->st_value)
        out.alias_of = elfw_function(elfw, elfw_alias_owner(elfw, symbol_function(symbol)))->symbol;
    else if (ELF64_ST_VISIBILITY(symbol->st_other) == STV_HIDDEN && function->text)
        out = (struct target_symbol){.kind = KIND_PLACED,
                                     .index = symbol->sym_index,
                                     .value = symbol->st_value,
                                     .section_type = elfw_section(elfw, function->text)->type};
    return out;
}

static struct target_symbol
data_symbol(const struct elfw *elfw, const struct symbol_record *symbol)
{
    const struct section *section = elfw_section(elfw, elfw_symbol_section(elfw, symbol));

    bool is_system = elfw->view->is_mercury && section->type == SHT_CUDA_SHARED_RESERVED &&
                     !elfw_flag(elfw, MERGE_RELOCATABLE);

    return (struct target_symbol){
        .kind = is_global_memory(section->type) ? KIND_GLOBAL
                : section->type == SHT_NULL     ? KIND_DEAD /* see layout/constant_bank.c */
                : is_system                     ? KIND_SYSTEM
                                                : KIND_PLACED,
        .index = symbol->sym_index,
        .value = symbol->st_value,
        .section_type = section->type,
    };
}

static struct target_symbol
find_target(const struct reloc_place *place, const struct reloc_entry *entry)
{
    const struct elf_view *elf = &place->object->elf;
    int32_t index = place->object->symbols[entry->symbol];
    const struct symbol_record *symbol = elfw_get_symbol(place->elfw, index);

    if (ELF64_ST_TYPE(elf->symbols[entry->symbol].st_info) == STT_SECTION && entry->symbol) {
        uint32_t section = elf_symbol_section(elf, entry->symbol);
        if (section < elf->section_count)
            return section_symbol(place, section);
    }
    if (!index)
        return absent_symbol(place, entry->symbol);
    if (symbol_type(symbol) == STT_FUNC)
        return function_symbol(place->elfw, symbol);
    if (is_image_type(symbol_type(symbol)))
        return (struct target_symbol){.kind = KIND_PLACED,
                                      .index = index,
                                      .value = place->elfw->placed.at[symbol->data_ordinal].address,
                                      .section_type = SHT_CUDA_CONSTANT0};
    if (memory_space(symbol->st_other) == STO_CUDA_SHARED && symbol->data_ordinal)
        return shared_symbol(place, symbol);
    if (symbol->st_shndx == SHN_UNDEF)
        return undefined_symbol(place->elfw, symbol);
    if (symbol->st_shndx == SHN_COMMON)
        return (struct target_symbol){.kind = KIND_GLOBAL, .index = index};
    return data_symbol(place->elfw, symbol);
}

/*
 * Entries that went with a definition which lost or was replaced. Of the latter those in line
 * sections go, if the text had relocations at all; those without addends only where the first table
 * of the section was one with addends.
 */
static bool
is_void(const struct reloc_place *place, const struct reloc_entry *entry)
{
    const struct object *object = place->object;
    uint64_t offset = place->piece->base + entry->offset;

    if (!elfw_moved_place(place->elfw, place->target, &offset))
        return true;
    if (object_drops_entry(object, place->input, place->is_line_section, entry->symbol,
                           entry->offset) ||
        is_void_address(place, entry->symbol))
        return true;
    if (!place->is_line_section ||
        (!entry->is_rela && elfw_section(place->elfw, place->target)->first_table_type != SHT_RELA))
        return false;
    uint32_t function =
        symbol_function(elfw_get_symbol(place->elfw, object->symbols[entry->symbol]));
    return function && object->number < elfw_function(place->elfw, function)->line_entries_from;
}

_Noreturn static void
refuse(const struct reloc_place *place, const struct reloc_entry *entry, const char *why)
{
    const struct elf_view *elf = &place->object->elf;

    diag_fatal(place->elfw->diag,
               "Internal error: %s (in '%s', section '%s', offset 0x%llx: relocation of type %u "
               "against '%s')",
               why, place->object->name, elf_section_name(elf, place->piece->input_target),
               (unsigned long long)entry->offset, entry->type, elf_symbol_name(elf, entry->symbol));
}

static void
check_offset(const struct reloc_place *place, const struct reloc_entry *entry,
             enum reloc_verdict verdict)
{
    if (entry->offset >= place->end)
        refuse(place, entry,
               verdict == RELOC_KEEP ? "relocation is past end of offset"
                                     : "reloc address not found");
}

static enum reloc_verdict
treat(const struct reloc_place *place, const struct reloc_entry *entry, unsigned treatment)
{
    switch (treatment) {
    case T_KEEP_EMPTY:
        return RELOC_KEEP;
    case T_NO_FUNCTION:
        refuse(place, entry, "a function descriptor of no function");
    case T_NO_BRANCH:
        refuse(place, entry, "PC relative branch address should be in the same section");
    case T_DELETED:
        refuse(place, entry, "reference to deleted symbol");
    default:
        return treatment;
    }
}

/*
 * In relocatable output memory has no addresses yet: what will be placed by the final link stays
 * a relocation against its symbol.
 */
static bool
waits_for_final_link(const struct reloc_place *place, const struct reloc_entry *entry,
                     const struct target_symbol *target)
{
    unsigned type = ELF64_ST_TYPE(place->object->elf.symbols[entry->symbol].st_info);

    return place->is_relocatable && target->index && type != STT_SECTION &&
           (target->kind == KIND_SHARED || target->kind == KIND_PLACED) &&
           reloc_kind(entry->type)->class == RELOC_LINKER;
}

/* Only calls ask for the offset of the function table; nothing may ask for the tables. */
static void
check_forgotten(const struct reloc_place *place, const struct reloc_entry *entry)
{
    bool is_unified = entry->type == 0 ||
                      (entry->type >= R_CUDA_UNIFIED_FIRST && entry->type <= R_CUDA_UNIFIED_LAST);

    if (is_unified &&
        strcmp(elf_symbol_name(&place->object->elf, entry->symbol), "__UFT_OFFSET") != 0)
        refuse(place, entry, "reference to deleted symbol");
}

/* A place of mercury in the function is one of SASS as well. */
static struct resolution
resolve_function(const struct reloc_place *place, const struct reloc_entry *entry,
                 const struct reloc_kind *kind, const struct symbol_record *symbol)
{
    bool is_dead = elfw_function(place->elfw, symbol_function(symbol))->is_dead;
    struct resolution out = {
        .verdict = reloc_treatments[is_dead ? KIND_DEAD : KIND_FUNCTION][kind->class],
        .type = place->is_relocatable ? entry->type : kind->plain,
        .symbol = symbol->sym_index,
        .addend = entry->addend,
        .names_code = !is_dead,
    };

    if (out.verdict != RELOC_DROP)
        check_offset(place, entry, out.verdict);
    if (place->is_sass_side && out.names_code)
        out.addend = mercury_code_place(place->elfw, place->object, entry->symbol, out.addend);
    return out;
}

/* In debug information these are most of the others. */
static struct resolution
resolve_section(const struct reloc_place *place, const struct reloc_entry *entry,
                const struct reloc_kind *kind, const struct section *section)
{
    struct reloc_value value = section_value(place->object, section, entry);
    uint64_t base = value.addend - (uint64_t)entry->addend;

    check_offset(place, entry, RELOC_APPLY);
    return (struct resolution){
        .verdict = RELOC_APPLY,
        .type = kind->plain,
        .symbol = section->symbol,
        .addend = (int64_t)value.addend,
        .ignore_old = base != 0,
        .base = base,
        .value = value,
    };
}

/* The opcode of YIELD and its predicate. Those of a mercury link are told by the code itself: see mercury/yields.h. */
static enum treatment
treatment_of_yield(const struct elfw *elfw)
{
    return elfw->view->is_mercury || !elfw_needs_no_yields(elfw) ? T_DROP : T_APPLY;
}

/* Sets the verdict, and what of the entry depends on it. */
static void
decide(const struct reloc_place *place, const struct reloc_entry *entry,
       const struct reloc_kind *kind, const struct target_symbol *target, struct resolution *out)
{
    unsigned treatment = reloc_treatments[target->kind][kind->class];

    if (kind->class == RELOC_YIELD && treatment == T_DROP && target->kind == KIND_PLACED)
        treatment = treatment_of_yield(place->elfw);
    /* Code that cannot run may still call by a name that is gone. */
    if (target->kind == KIND_DEAD_ALIAS && place->function)
        treatment = T_DROP;
    if (treatment == T_KEEP_EMPTY) {
        out->type = 0;
        out->symbol = 0;
    }
    if (target->kind == KIND_FORGOTTEN)
        check_forgotten(place, entry);
    out->verdict = treat(place, entry, treatment);
    if (out->verdict == RELOC_KEEP && out->symbol &&
        !elfw_name_is_written(place->elfw, elfw_get_symbol(place->elfw, out->symbol)))
        refuse(place, entry, "reference to deleted symbol");
    if (out->verdict != RELOC_DROP)
        check_offset(place, entry, out->verdict);
}

static void
set_value(const struct reloc_place *place, const struct reloc_entry *entry,
          const struct target_symbol *target, struct resolution *out)
{
    out->names_code = target->kind == KIND_FUNCTION;
    out->base = target->section_base;
    if (place->is_sass_side && out->names_code)
        out->addend = mercury_code_place(place->elfw, place->object, entry->symbol, out->addend);
    if (target->is_line_table)
        out->addend = mercury_unit_place(place->elfw, place->object, out->addend);
    if (target->section_base) {
        /* A REL entry becomes one with this addend; its old bits no longer count. */
        out->ignore_old = true;
        out->addend = (int64_t)((uint64_t)out->addend + target->section_base);
    }
    /* The value of symbol 0 has nothing to do with an opcode, though nvlink adds it. */
    out->value = (struct reloc_value){
        .symbol = is_of_yield(entry->type) ? 0 : target->value,
        .addend = (uint64_t)out->addend,
        .bank = target->section_type - SHT_CUDA_CONSTANT0,
        .slot = target->slot,
    };
}

static struct resolution
resolve_symbol(const struct reloc_place *place, const struct reloc_entry *entry,
               const struct reloc_kind *kind)
{
    struct target_symbol target = find_target(place, entry);
    bool is_named = target.alias_of && kind->class != RELOC_DESCRIPTOR;
    struct resolution out = {
        .type = place->is_relocatable ? entry->type : kind->plain,
        .symbol = is_named ? target.alias_of : target.index,
        .addend = entry->addend,
        .ignore_old = kind->class == RELOC_YIELD,
        .is_unlisted =
            target.kind == KIND_BANK_SIZE || (target.is_open_array && target.value != UINT64_MAX),
    };

    if (waits_for_final_link(place, entry, &target))
        target.kind = KIND_GLOBAL;
    decide(place, entry, kind, &target, &out);
    set_value(place, entry, &target, &out);
    return out;
}

struct resolution
resolve_entry(const struct reloc_place *place, const struct reloc_entry *entry)
{
    const struct reloc_kind *kind = reloc_kind(entry->type);

    if (!kind)
        refuse(place, entry, "unexpected NVRS");
    if (is_void(place, entry))
        return (struct resolution){.verdict = RELOC_DROP, .addend = entry->addend};
    const struct symbol_record *function = plain_function(place, entry->symbol);
    if (function)
        return resolve_function(place, entry, kind, function);
    const struct section *section =
        kind->class == RELOC_LINKER ? placed_section(place, entry->symbol) : NULL;
    if (section)
        return resolve_section(place, entry, kind, section);
    return resolve_symbol(place, entry, kind);
}

bool
is_selected(const struct reloc_place *place, const struct reloc_entry *entry)
{
    const struct object *object = place->object;

    if (place->piece->selection == SELECT_ALL)
        return true;
    bool is_section = ELF64_ST_TYPE(object->elf.symbols[entry->symbol].st_info) == STT_SECTION;
    bool is_moved = is_section && object_section_base(object, entry->symbol) != 0;
    return is_moved == (place->piece->selection == SELECT_MOVED);
}

struct reloc_place
place_of(struct elfw *elfw, uint32_t target, const struct reloc_piece *piece)
{
    const struct object *object = elfw->objects.at[piece->object];
    const struct section *section = elfw_section(elfw, target);
    bool is_sass_side = object->elf.twins && !section->is_mercury;
    uint32_t counterpart = is_sass_side ? object->elf.twins[piece->input_target] : 0;
    uint32_t plain = section->is_mercury ? section->twin : target;
    bool is_line =
        !section->owner && is_line_section(elfw_section_name(elfw, elfw_section(elfw, plain)));
    bool may_be_void = object->lost_count || elfw->packed_bank || elfw->addressed_names.count ||
                       (is_line && elfw->has_void_line_entries);
    /* Code of mercury is larger than what is stored of it; descriptions of SASS were made anew. */
    bool has_no_end = section->type == SHT_CUDA_CAPSULE || (is_sass_side && is_line);

    return (struct reloc_place){
        .elfw = elfw,
        .object = object,
        .piece = piece,
        .target = target,
        .input = counterpart ? counterpart : piece->input_target,
        .is_sass_side = is_sass_side,
        .function = elfw_text_owner(elfw, plain),
        .is_line_section = is_line,
        .is_relocatable = elfw_flag(elfw, MERGE_RELOCATABLE),
        .end = has_no_end ? UINT64_MAX : object->elf.sections[piece->input_target].sh_size,
        .has_few_void = !may_be_void,
        .is_plain = !is_sass_side && !may_be_void,
    };
}
