/*
 * resolve.h: what becomes of one relocation entry.
 */
#ifndef CULD_RELOCATE_RESOLVE_H
#define CULD_RELOCATE_RESOLVE_H

#include "cubin/reloc_table.h"
#include "elfw/elfw.h"
#include "relocate/field.h"

/* The last two are what the scan notes of most entries, for which nothing has to be resolved again
   when they are written. */
enum reloc_verdict {
    RELOC_DROP,
    RELOC_KEEP,
    RELOC_APPLY,
    RELOC_ZERO,
    RELOC_SPLIT,       /* kept in mercury, applied in SASS: see KIND_SYSTEM */
    RELOC_KEEP_PLAIN,  /* kept as it is, against the symbol that it names */
    RELOC_APPLY_PLAIN, /* the place of a section is written: section_value has it */
    RELOC_UNDECIDED,
};

/* How a kind of symbol treats each class of relocation: the first are verdicts. */
enum treatment {
    T_DROP = RELOC_DROP,
    T_KEEP = RELOC_KEEP,
    T_APPLY = RELOC_APPLY,
    T_ZERO = RELOC_ZERO,   /* clear the field */
    T_SPLIT = RELOC_SPLIT, /* keep in mercury, apply in SASS */
    T_NO_FUNCTION,         /* a descriptor of something that is no function */
    T_NO_BRANCH,           /* relative branches stay inside a section */
    T_DELETED,             /* reference to deleted symbol */
    T_KEEP_EMPTY,          /* an entry of type 0 against no symbol is left */
};

enum symbol_kind {
    KIND_FUNCTION,
    KIND_DEAD,
    KIND_DEAD_ALIAS, /* a second name that no call uses */
    KIND_FORGOTTEN,  /* tables of unified functions that do not exist */
    KIND_RESERVED,   /* reserved shared memory: the loader's */
    KIND_GLOBAL,     /* in global memory: only the loader knows the address */
    KIND_PLACED,     /* constants, sections: an offset the linker knows */
    KIND_BANK_SIZE,  /* as KIND_PLACED, but there is no symbol to list */
    KIND_SHARED,     /* the symbol is not in the output */
    KIND_SYSTEM, /* mercury: a variable in reserved memory, whose place each target has for itself */
    KIND_COUNT,
};

extern const uint8_t reloc_treatments[KIND_COUNT][RELOC_CLEAR + 1];

struct reloc_entry {
    uint64_t offset; /* in the input section */
    uint32_t type;
    uint32_t symbol; /* of the input */
    int64_t addend;
    bool is_rela;
};

struct resolution {
    enum reloc_verdict verdict;
    uint32_t type;  /* as it is written */
    int32_t symbol; /* of a kept entry */
    int64_t addend;
    bool is_unlisted; /* --preserve-relocs does not list it */
    bool ignore_old;  /* REL: the old bits do not count */
    bool names_code;  /* the symbol is a function: the addend is a place in it */
    uint64_t base;    /* part of the addend: where the input's part of a section begins */
    struct reloc_value value;
};

/* Where an entry stands. */
struct reloc_place {
    struct elfw *elfw;
    const struct object *object;
    const struct reloc_piece *piece;
    uint32_t target;   /* section that is patched */
    uint32_t input;    /* of the object, as the link knows it */
    bool is_sass_side; /* of a mercury link */
    uint32_t function; /* whose text it is, 0: other section */
    bool is_line_section;
    bool is_relocatable; /* the output is */
    uint64_t end;        /* offsets of entries lie before it */
    bool has_few_void;   /* void are those entries alone that describe definitions that lost */
    bool is_plain;       /* ... and no entry can mean another place in SASS */
};

struct reloc_place place_of(struct elfw *elfw, uint32_t target, const struct reloc_piece *piece);

static inline struct reloc_entry
read_entry(const struct reloc_piece *piece, size_t at)
{
    const uint8_t *entry = piece->entries.at + at;
    uint64_t info = read_u64(entry + 8);

    return (struct reloc_entry){
        .offset = read_u64(entry),
        .type = (uint32_t)info,
        .symbol = (uint32_t)(info >> 32),
        .addend = piece->is_rela ? (int64_t)read_u64(entry + 16) : 0,
        .is_rela = piece->is_rela,
    };
}

/* The type that an entry has in the output. */
static inline uint32_t
written_type(const struct elfw *elfw, uint32_t type)
{
    return elfw_flag(elfw, MERGE_RELOCATABLE) ? type : reloc_kind(type)->plain;
}

/* Does the entry belong to the table that holds the piece? */
bool is_selected(const struct reloc_place *place, const struct reloc_entry *entry);
struct resolution resolve_entry(const struct reloc_place *place, const struct reloc_entry *entry);

/*
 * Most entries name a function by its own name, one that stays and that others see, which is the
 * loader's matter, or one that is gone. The symbol, NULL if it is another one.
 */
static inline const struct symbol_record *
plain_function(const struct reloc_place *place, uint32_t input_symbol)
{
    const struct symbol_record *symbol =
        elfw_get_symbol(place->elfw, place->object->symbols[input_symbol]);

    if (symbol_type(symbol) != STT_FUNC)
        return NULL;
    const struct function *function = elfw_function(place->elfw, symbol_function(symbol));
    bool is_seen = ELF64_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT;
    return !function->is_alias && (is_seen || function->is_dead) ? symbol : NULL;
}

static inline bool
is_global_memory(uint32_t section_type)
{
    return section_type == SHT_CUDA_GLOBAL || section_type == SHT_CUDA_GLOBAL_INIT;
}

/* The section that an entry of a finished program means, if that has its place; NULL otherwise. */
static inline const struct section *
placed_section(const struct reloc_place *place, uint32_t input_symbol)
{
    const struct elf_view *elf = &place->object->elf;
    uint32_t input = elf_symbol_section(elf, input_symbol);

    if (!place->is_plain || place->is_relocatable || !input_symbol ||
        ELF64_ST_TYPE(elf->symbols[input_symbol].st_info) != STT_SECTION ||
        input >= elf->section_count || !place->object->sections[input])
        return NULL;
    const struct section *section = &place->elfw->sections.at[place->object->sections[input]];
    return section->state == SECTION_DEAD || is_global_memory(section->type) ? NULL : section;
}

/* What is written for such a section: where the part of the input begins in it. */
static inline struct reloc_value
section_value(const struct object *object, const struct section *section,
              const struct reloc_entry *entry)
{
    return (struct reloc_value){
        .addend = (uint64_t)entry->addend + object_section_base(object, entry->symbol),
        .bank = section->type - SHT_CUDA_CONSTANT0,
    };
}

/* What becomes of an entry that names such a function. */
static inline enum reloc_verdict
function_verdict(const struct reloc_entry *entry, const struct reloc_kind *kind, bool is_dead)
{
    unsigned verdict = reloc_treatments[is_dead ? KIND_DEAD : KIND_FUNCTION][kind->class];
    return verdict == RELOC_KEEP && entry->is_rela ? RELOC_KEEP_PLAIN : verdict;
}

/* What resolve_entry would say of most entries; RELOC_UNDECIDED of the others. */
static inline enum reloc_verdict
quick_verdict(const struct reloc_place *place, const struct reloc_entry *entry)
{
    const struct reloc_kind *kind = reloc_kind(entry->type);

    if (!place->is_plain || !kind || entry->offset >= place->end)
        return RELOC_UNDECIDED;
    if (place->is_line_section && place->object->fates[entry->symbol] == SYMBOL_LOST)
        return RELOC_DROP;
    const struct symbol_record *symbol = plain_function(place, entry->symbol);
    if (!symbol)
        return kind->class == RELOC_LINKER && !place->piece->pair &&
                       placed_section(place, entry->symbol)
                   ? RELOC_APPLY_PLAIN
                   : RELOC_UNDECIDED;
    return function_verdict(entry, kind,
                            elfw_function(place->elfw, symbol_function(symbol))->is_dead);
}

#endif
