/*
 * object.h: one device ELF image among the inputs, and how its tables map to the elfw's.
 */
#ifndef CULD_ELFW_OBJECT_H
#define CULD_ELFW_OBJECT_H

#include "base/name_map.h"
#include "cubin/elf_view.h"

enum symbol_fate {
    SYMBOL_MAPPED,
    SYMBOL_LOST,            /* a function whose definition here lost against another one */
    SYMBOL_UNDEFINED_LOCAL, /* never created: relocations against it use 0 */
};

/* Those that name places in the memory of the system, each at most once. */
enum { MOST_RESERVED_SYMBOLS = 5 };

struct reserved_symbols {
    uint32_t at[MOST_RESERVED_SYMBOLS];
    uint32_t count;
};

static inline void
add_reserved_symbol(struct reserved_symbols *symbols, uint32_t symbol)
{
    if (symbols->count < MOST_RESERVED_SYMBOLS)
        symbols->at[symbols->count++] = symbol;
}

static inline bool
has_reserved_symbol(const struct reserved_symbols *symbols, uint32_t symbol)
{
    for (uint32_t i = 0; i < symbols->count; i++)
        if (symbols->at[i] == symbol)
            return true;
    return false;
}

/* Bytes of a data section that belong to a definition which lost. */
struct lost_range {
    uint32_t section;
    uint64_t from, to;
};

/* What is known of a symbol of the object that is being merged. */
struct symbol_notes {
    struct name_key key;
    uint32_t name_id;       /* 0: a section's, which has no name of its own */
    uint32_t registers;     /* REGCOUNT, 0: no record */
    uint32_t frame_size;    /* FRAME_SIZE */
    bool has_unknown_stack; /* MIN_STACK_SIZE says so */
};

/* ... and of a section. */
struct section_notes {
    uint64_t covered; /* end of the last object in it */
    struct name_key key;
    uint32_t name_id; /* 0: it takes no part */
    bool is_lost;     /* code of a definition that lost */
};

/* Memory for these: it serves one object after the other. */
struct notes_room {
    char *at;
    size_t size;
};

struct object {
    const char *name; /* for messages */
    struct elf_view elf;
    uint32_t number;       /* in elfw.objects, from 1 */
    bool is_whole_program; /* compiled with -ewp */
    bool has_reserved_shared;
    bool guards_exits;           /* with waits for errors of memory accesses */
    bool has_lost_symbols;       /* some symbol has the fate SYMBOL_LOST */
    uint16_t virtual_arch;       /* .note.nv.cuinfo */
    uint16_t toolkit;            /* 120 for CUDA 12.0; 0: not known */
    struct bytes info;           /* .nv.info */
    uint64_t target_mask;        /* .nv.compat: targets that can run this code */
    int32_t *symbols;            /* input symbol -> signed index */
    uint8_t *fates;              /* input symbol -> enum symbol_fate */
    uint32_t *sections;          /* input section -> section of the elfw, 0: none */
    uint64_t *bases;             /* where the input section begins in it */
    uint32_t numbered_constants; /* mercury: of the compiler, so far */
    uint32_t *first_objects;     /* mercury: constant bank of the input -> its first object, */
    uint32_t *next_objects;      /* and of each the next one, in the order of the table; 0: none */
    struct reserved_symbols reserved; /* mercury */
    struct lost_range *lost;          /* ordered by section and offset once merged */
    uint32_t lost_count;
    struct symbol_notes *symbol_notes;   /* while it is merged: per symbol */
    struct section_notes *section_notes; /* ... and per section */
};

bool is_line_section(const char *name);

/* Relocations inside the bytes of a definition that lost are not carried over. They are looked for once
   all ranges are in order. */
void object_lose_range(struct object *object, struct arena *arena, uint32_t section, uint64_t from,
                       uint64_t to);
void object_order_lost(struct object *object);

/* Does the byte of the input section belong to a definition that lost? */
bool object_lost_offset(const struct object *object, uint32_t section, uint64_t offset);

/* May functions of it lie inside kernels? In whole programs, and in what links made of them. */
static inline bool
object_may_have_inner(const struct object *object)
{
    return object->is_whole_program || object->elf.is_of_linker;
}

static inline void
object_lose_symbol(struct object *object, uint32_t symbol)
{
    object->fates[symbol] = SYMBOL_LOST;
    object->has_lost_symbols = true;
}

/* Did the relocation go with a definition that lost? `section` is the input section it patches. */
static inline bool
object_drops_entry(const struct object *object, uint32_t section, bool is_line_section,
                   uint32_t symbol, uint64_t offset)
{
    return (is_line_section && object->fates[symbol] == SYMBOL_LOST) ||
           (object->lost_count && object_lost_offset(object, section, offset));
}

/* Where the part of this input begins in the section that a section symbol names. */
static inline uint64_t
object_section_base(const struct object *object, uint32_t section_symbol)
{
    uint32_t section = elf_symbol_section(&object->elf, section_symbol);
    return section < object->elf.section_count ? object->bases[section] : 0;
}

#endif
