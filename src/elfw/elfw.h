/*
 * elfw.h: the linker context ("ELF wrapper"), the one mutable thing of a link.
 *
 * Every phase takes it first. Created in steps by elfw_create, filled by merge, arranged by
 * layout, decided by relocate, numbered by finalize, and freed at once with its arena.
 */
#ifndef CULD_ELFW_ELFW_H
#define CULD_ELFW_ELFW_H

#include "arch/arch.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/name_map.h"
#include "cubin/compat.h"
#include "elfw/function.h"
#include "elfw/object.h"
#include "elfw/section.h"
#include "elfw/symbol.h"
#include "elfw/view.h"
#include "mercury/known_code.h"

/* Behaviour bits of a link, decoded once from the options. */
enum merge_flag {
    MERGE_PRESERVE_RELOCS = 1 << 0,
    MERGE_FORCE_RELA = 1 << 1,
    MERGE_NO_SMEM_RESERVATION = 1 << 2,
    MERGE_ALLOW_UNDEFINED_GLOBALS = 1 << 3,
    MERGE_RELOCATABLE = 1 << 4,
    MERGE_DEBUG = 1 << 5,
    MERGE_DUMP_CALLGRAPH = 1 << 6,
    MERGE_NO_STACK_WARNING = 1 << 7,
    MERGE_KEEP_ALL = 1 << 8,     /* no dead code elimination */
    MERGE_RESERVE_NULL = 1 << 9, /* no shared variable has the address 0 */
    MERGE_TRUST_INPUTS = 1 << 10,
};

/* An undefined local by which code asks for the size of the user's constant bank. */
#define CONSTANT_BANK_SIZE ".nv.ptx.const0.size"

/* Variables in the memory of the system. */
/* How inputs keep account of tensor memory, in reserved shared memory. */
enum tensor_memory { NO_TENSOR_MEMORY, TENSOR_MEMORY_12, TENSOR_MEMORY_13 };

#define RESERVED_SHARED ".nv.shared.reserved.0"

/* How much shared memory belongs to the system: only mercury refers to it, and to where it begins. */
#define RESERVED_CAPACITY ".nv.reservedSmem.cap"
#define RESERVED_OFFSET ".nv.reservedSmem.offset0"

/* A function's text has a relocation against a shared variable or a texture reference. */
struct data_use {
    uint32_t function;
    int32_t symbol;
    uint32_t object; /* stale if another input's definition of the function won later */
};

/* A shared variable or image reference, placed by layout according to who uses it. */
struct placed {
    int32_t symbol;
    uint64_t address;   /* in shared memory, or of the slot in bank 0 */
    bool is_open_array; /* shared, of the size the launch decides */
    bool is_used;       /* some text refers to it */
    bool is_fixed;      /* shared, of a kernel that came with its memory laid out */
    bool is_stray;      /* an open array that --preserve-relocs does not leave out */
};

/* The user's constant bank; it may be no larger. */
enum { CONSTANT_BANK_LIMIT = 0x10000 };

/* Bytes [from, to) of the bank as merged that now stand elsewhere in it. */
struct moved_range {
    uint64_t from, to, place;
};

/* A shared variable takes its place in the layout where it is defined, an array of open size
   where it is first mentioned. */
struct shared_mention {
    int32_t symbol;
    bool is_definition;
    bool is_given; /* a whole program's: it has an address */
};

/* What inputs with a bank of addresses say of a name. */
struct addressed_name {
    bool is_defined;
    uint32_t used_from; /* of a variable: words of inputs before this one are void, 0: none are */
};

typedef ARRAY(Elf64_Phdr) segment_list;

/* Where a part of a table begins that is made when it is written, and the first record in it. */
struct table_cut {
    uint64_t offset;
    uint32_t record;
};
typedef ARRAY(struct table_cut) cut_list;

/* A unit of an input's line table that is elsewhere in its part of the output, because lines of
   functions before it are gone. */
struct moved_unit {
    uint32_t object;
    uint64_t from, to;
};

/* Kernels without calls, whose scoreboards the link numbers anew. */
struct copied_kernel {
    uint32_t function;
    const char *reason;
};
struct leaf_counts {
    uint32_t all, rewritten;
    ARRAY(struct copied_kernel) copied; /* as they came, although nvlink might write others */
    bool *
        is_guarded; /* per input: compiled with guards at exits, as for debuggers; NULL: none needs any */
};

/* Bytes [from, to) of the file. */
struct file_extent {
    bool any;
    uint64_t from, to;
};

struct elfw {
    Elf64_Ehdr header; /* template of the output's */
    struct arena *arena;
    struct arena scratch; /* what a function allocates here it releases */
    struct diag *diag;
    const struct arch *arch;
    const struct link_view *view;
    uint32_t merge_flags;
    const struct kernel_filter *kernels_used;      /* NULL: all are */
    const struct host_references *host_references; /* NULL: not in force */
    uint32_t named_kernel_count;                   /* layout: how many of them there are */
    uint32_t api_version;                          /* the newest that functions may need, 0: any */

    /* Names and storage. */
    struct name_map names; /* of symbols and of sections */
    struct name_map syscall_names;
    struct name_map prototypes; /* ids are the prototypes of the call graph */
    ARRAY(struct symbol_record) pos_symbols;
    ARRAY(struct symbol_record) neg_symbols;
    ARRAY(struct section) sections;
    ARRAY(uint32_t) tables;             /* those of them that hold relocation entries */
    ARRAY(uint32_t) shared_sections;    /* those of shared memory */
    ARRAY(uint32_t) sass_texts;         /* mercury links: those that have SASS */
    uint64_t types_of_sections;         /* a bit for each, see elfw_may_have */
    ARRAY(struct sass_part) sass_parts; /* mercury links: [0] is that of all other sections */
    ARRAY(struct piece) pieces;
    ARRAY(struct reloc_piece) reloc_pieces;
    ARRAY(uint32_t) pos_sections; /* extended section indices, empty until one is needed */
    ARRAY(uint32_t) neg_sections;

    /* The call graph. */
    ARRAY(struct function) functions;
    ARRAY(struct edge) edges;
    bool callgraph_completed;

    /* The inputs. */
    ARRAY(struct object *) objects;
    struct notes_room notes;      /* of those that are opened when they are merged */
    struct known_code known_code; /* of these */

    /* Core sections by creation number. */
    uint32_t shstrtab, strtab, symtab, symtab_shndx, tkinfo, cuinfo, nvinfo, compat;
    uint32_t callgraph, prototype, rel_action;

    /* What merge gathers for layout. */
    ARRAY(struct data_use) data_uses;
    ARRAY(struct placed) placed; /* what layout places by its uses: [0] unused */
    ARRAY(struct shared_mention) shared_mentions;
    ARRAY(int32_t) commons;          /* in the order in which they became common */
    ARRAY(int32_t) image_references; /* textures, samplers, surfaces */
    ARRAY(int32_t) image_slots;      /* layout: references in the order of their slots */
    uint64_t sass_slots;             /* layout of mercury links: where slots begin in SASS */
    uint64_t *open_shared_start; /* layout: where open arrays begin, per function; NULL: none do */
    uint32_t packed_bank;        /* layout: the bank that was laid out anew, 0: none */
    ARRAY(struct moved_range) moved_constants; /* ... by `from`; what is in none is gone */
    uint64_t null_symbol_value;                /* st_value of symbol 0: see layout/constants.c */
    uint64_t fixed_shared_mark;  /* alignment of open arrays that whole programs say they have */
    uint64_t given_shared_size;  /* of memory of whole programs that belongs to no one kernel, */
    uint64_t given_shared_align; /* and its alignment */
    enum tensor_memory tensor_memory;
    uint16_t min_virtual_arch, max_virtual_arch; /* of the inputs */
    uint32_t info_sections_read;
    bool has_void_line_entries;                   /* some function has line_entries_from */
    ARRAY(struct addressed_name) addressed_names; /* by name: see merge/addresses.c */
    int32_t bank_size_symbol;                     /* relocatable output: CONSTANT_BANK_SIZE, once */
    struct compat_values compat_values;

    /* Numbering: signed index -> output index, 0: deleted. NULL before finalize. */
    uint32_t *pos_remap;
    uint32_t *neg_remap;

    /* Section numbering: creation number -> output index and back. NULL before finalize. */
    uint32_t *section_virtual;
    uint32_t *section_order;
    uint32_t output_section_count;
    uint32_t first_twin; /* mercury links: output index of the first section of mercury */
    cut_list section_name_cuts, symbol_name_cuts, symbol_cuts; /* see finalize/late_tables.h */
    uint64_t contents_end;                                     /* of the file, headers aside */
    struct file_extent code, data; /* finalize: what the segments hold */
    segment_list segments;
    struct leaf_counts leaf_kernels;      /* mercury links */
    ARRAY(struct moved_unit) moved_units; /* mercury links: of .debug_line, by input and place */
    struct section_links *
        *section_links; /* mercury links: what mercury/jump_tables.c found, per object */
    struct target_list **jump_targets; /* ... and per function */
    struct code_map **code_maps;       /* mercury links: per function, those that were asked for */
    struct code_map ***input_maps; /* the same per input and symbol, of definitions as they came */
    ARRAY(uint32_t) parameter_banks; /* mercury links: sections that only the SASS view has */
    ARRAY(uint32_t) sass_sections;   /* ... and those with a sass_part, in the order of the file */
    uint64_t link_names; /* mercury links: sizes of the string tables with the names of the link */
    uint64_t link_strings; /* alone: of sections, of symbols */
};

/* Kernels whose names contain one of these. */
struct kernel_filter {
    const char *const *names;
    uint32_t count;
};

struct elfw_settings {
    const struct arch *arch;
    uint32_t merge_flags;
    const struct kernel_filter *kernels_used;
    uint32_t api_version; /* the newest that functions may need, 0: any */
};

struct elfw *elfw_create(struct arena *arena, struct diag *diag,
                         const struct elfw_settings *settings);

/* The elfw as a worker has it (base/crew.h): with memory of its own, and silent. Nothing is written to it
   but what belongs to the work. */
struct worker_memory;
struct elfw elfw_of_worker(const struct elfw *elfw, const struct worker_memory *memory);

/* So many of all sections of the inputs are merged: makes room for what the others bring if they are
   like these, so that it need not move later and comes to lie in memory that is filled. */
void elfw_expect_sections(struct elfw *elfw, uint32_t merged, uint32_t all);

/* Before the first input is merged: links are of SASS unless something else is said. */
void elfw_set_view(struct elfw *elfw, const struct link_view *view);

static inline bool
elfw_flag(const struct elfw *elfw, uint32_t flag)
{
    return elfw->merge_flags & flag;
}

/* Does nothing follow what the output holds, neither other code nor a debugger? */
static inline bool
elfw_is_final(const struct elfw *elfw)
{
    return !elfw_flag(elfw, MERGE_RELOCATABLE | MERGE_DEBUG);
}

/*
 * PTX for targets before sm_70 does not count on each thread making progress: what its code has to let others
 * go ahead (YIELD) becomes a NOP. A link of SASS does so if all inputs are of such PTX, one of mercury if any is.
 */
static inline bool
elfw_needs_no_yields(const struct elfw *elfw)
{
    enum { FIRST_WITH_PROGRESS = 70 };
    uint16_t arch = elfw->view->is_mercury ? elfw->min_virtual_arch : elfw->max_virtual_arch;

    return arch && arch < FIRST_WITH_PROGRESS;
}

/* Symbols. */
struct new_symbol {
    uint64_t value, size;
    const char *name;
    uint32_t name_id; /* 0: not known */
    uint32_t section;
    uint8_t type, binding, other;
};
int32_t elfw_add_section_symbol(struct elfw *elfw, uint32_t section);
int32_t elfw_add_symbol(struct elfw *elfw, const struct new_symbol *add);
int32_t elfw_find_symbol(const struct elfw *elfw, const char *name);
static inline struct symbol_record *
elfw_get_symbol(const struct elfw *elfw, int32_t index)
{
    return index < 0 ? &elfw->neg_symbols.at[-index] : &elfw->pos_symbols.at[index];
}

static inline uint32_t
elfw_symbol_section(const struct elfw *elfw, const struct symbol_record *symbol)
{
    if (symbol->st_shndx == SHN_COMMON)
        return COMMON_SECTION;
    if (symbol->st_shndx != SHN_XINDEX)
        return symbol->st_shndx;
    return symbol->sym_index < 0 ? elfw->neg_sections.at[-symbol->sym_index]
                                 : elfw->pos_sections.at[symbol->sym_index];
}

void elfw_set_symbol_section(struct elfw *elfw, int32_t index, uint32_t section);
void elfw_set_binding(struct symbol_record *symbol, unsigned binding);
/* Links `alias` into the chain of aliases of `of`. */
void elfw_add_alias(struct elfw *elfw, int32_t of, int32_t alias);
/* Shared memory that belongs to the system in every kernel that uses any. */
uint64_t elfw_reserved_shared(const struct elfw *elfw);
/* Is the object (no function, no section) a symbol of the output? Parameters and constants of the
   compiler and shared variables are not, unless an option asks for them. */
bool elfw_object_is_written(const struct elfw *elfw, const struct symbol_record *symbol);
/* Does the name of the symbol stand in the string table? */
bool elfw_name_is_written(const struct elfw *elfw, const struct symbol_record *symbol);
/* Output index of a symbol; fatal "reference to deleted symbol" if it has none. */
uint32_t elfw_remap_symbol(const struct elfw *elfw, int32_t index);
bool elfw_symbol_is_deleted(const struct elfw *elfw, int32_t index);

/* Sections. */
struct new_section {
    const char *name;
    uint32_t name_id; /* 0: not known */
    uint32_t type;
    uint64_t flags, align, entsize;
    uint32_t owner, target;
    bool is_unlisted; /* not to be found by its name */
};
uint32_t elfw_add_section(struct elfw *elfw, const struct new_section *add);
/* Just the record, all zeroes but for its type; until the next one comes. It is all there is of one that
   has no symbol and is not found by its name. */
struct section *elfw_push_section(struct elfw *elfw, uint32_t type);
/* Is it the table that was prepared for slots of textures, with the bank of the parameters? */
bool elfw_is_companion(const struct elfw *elfw, uint32_t table);
/* The user's constant bank, 0: none; its size, all ones without one. */
uint32_t elfw_user_bank(const struct elfw *elfw);
uint64_t elfw_constant_bank_size(const struct elfw *elfw);
uint32_t elfw_find_section(const struct elfw *elfw, const char *name);
/* Where a place of a section as merged is now; false if it is gone. */
bool elfw_packed_place(const struct elfw *elfw, uint32_t section, uint64_t *offset);
static inline bool
elfw_moved_place(const struct elfw *elfw, uint32_t section, uint64_t *offset)
{
    return !elfw->packed_bank || elfw_packed_place(elfw, section, offset);
}
/* The live section of that type among those the function owns, 0: none. */
uint32_t elfw_owned_section(const struct elfw *elfw, uint32_t function, uint32_t type);
/* The first section of that type that the function got, be it one that losing definitions left. */
uint32_t elfw_first_bank(const struct elfw *elfw, uint32_t function, uint32_t type);
uint32_t elfw_owned_by_name(const struct elfw *elfw, uint32_t function, const char *name);
/* The section of that name: among those of the function, or among those that belong to none. */
uint32_t elfw_find_joined(const struct elfw *elfw, uint32_t function, uint32_t name_id);
void elfw_check_section(const struct elfw *elfw, uint32_t index);
/* Mercury links: what the section has for its SASS, made if it has nothing yet. */
struct sass_part *elfw_make_sass_part(struct elfw *elfw, uint32_t section);

static inline struct section *
elfw_section(const struct elfw *elfw, uint32_t index)
{
    if (elfw->section_virtual)
        elfw_check_section(elfw, index);
    return &elfw->sections.at[index];
}

/* False: no section has this type, and none needs to be looked at. */
static inline bool
elfw_may_have(const struct elfw *elfw, uint32_t type)
{
    return elfw->types_of_sections >> type % 64 & 1;
}

/* Sections in the order of the file lie anywhere in memory: the way to one that will be asked for soon
   after the n-th begins now. */
static inline void
elfw_expect_after(const struct elfw *elfw, uint32_t n)
{
    enum { AHEAD = 8 };

    if (n + AHEAD >= elfw->output_section_count)
        return;
    const struct section *section = &elfw->sections.at[elfw->section_order[n + AHEAD]];
    __builtin_prefetch(section);
    __builtin_prefetch(&section->last_piece);
}

static inline const char *
elfw_section_name(const struct elfw *elfw, const struct section *section)
{
    return name_at(&elfw->names, section->name_id)->text;
}

static inline struct sass_part *
elfw_sass_part(const struct elfw *elfw, const struct section *section)
{
    return &elfw->sass_parts.at[section->sass];
}

/* Appends bytes, aligned; returns where they begin. */
uint64_t elfw_append(struct elfw *elfw, uint32_t section, struct bytes bytes, uint64_t size,
                     uint64_t align);
/* Says from where the piece comes that was appended last. */
void elfw_mark_piece(struct elfw *elfw, uint32_t section, const struct object *object,
                     uint32_t input);
void elfw_clear_section(struct elfw *elfw, uint32_t section);

/* Makes layout place the symbol by its uses; idempotent. */
void elfw_place(struct elfw *elfw, int32_t index);

/* Functions. */
static inline struct function *
elfw_function(const struct elfw *elfw, uint32_t ordinal)
{
    return &elfw->functions.at[ordinal];
}

static inline struct symbol_record *
elfw_function_symbol(const struct elfw *elfw, uint32_t ordinal)
{
    return elfw_get_symbol(elfw, elfw_function(elfw, ordinal)->symbol);
}

static inline const char *
elfw_function_name(const struct elfw *elfw, uint32_t ordinal)
{
    return elfw_function_symbol(elfw, ordinal)->name_str;
}

/* Its records in the SASS view of a mercury link; may be none. */
struct bytes elfw_sass_records(const struct elfw *elfw, const struct function *function);

/* A kernel. An entry that --kernels-used leaves out counts as a plain function. */
static inline bool
elfw_function_is_entry(const struct elfw *elfw, uint32_t ordinal)
{
    return elfw_function(elfw, ordinal)->is_kernel;
}

static inline bool
elfw_function_is_undefined(const struct elfw *elfw, uint32_t ordinal)
{
    return elfw_function_symbol(elfw, ordinal)->st_shndx == SHN_UNDEF;
}

/* The function whose text this section is, 0: none. */
static inline uint32_t
elfw_text_owner(const struct elfw *elfw, uint32_t section)
{
    uint32_t owner = elfw_section(elfw, section)->owner;
    return owner && elfw_function(elfw, owner)->text == section ? owner : 0;
}

/* An entry by its symbol, whatever --kernels-used says. */
bool elfw_function_is_defined_entry(const struct elfw *elfw, uint32_t ordinal);
bool elfw_kernel_is_used(const struct elfw *elfw, const char *name);
/* The function whose text an alias names. */
uint32_t elfw_alias_owner(const struct elfw *elfw, uint32_t ordinal);
/* The symbol that stands first in the output among those of the function's text. */
int32_t elfw_text_symbol(const struct elfw *elfw, uint32_t ordinal);
/* The prototype under which the function may be called through a pointer, NO_PROTOTYPE: none. */
uint32_t elfw_pointer_prototype(const struct elfw *elfw, uint32_t ordinal);
/* Functions by that prototype: those of p are at[start[p]] .. at[start[p + 1] - 1]. */
struct taken_functions {
    uint32_t *start, *at;
};
struct taken_functions elfw_group_taken(const struct elfw *elfw, struct arena *arena);
void elfw_add_edge(struct elfw *elfw, uint32_t *list, uint32_t to);

/* May the function stay undefined because the driver provides it? */
bool elfw_is_syscall(const struct elfw *elfw, const char *name);
/* Is a function missing so far that the driver does not provide? */
bool elfw_wants_functions(const struct elfw *elfw);
/* Why an object may stay undefined. */
enum object_role {
    ROLE_ORDINARY,
    ROLE_UNIFIED_TABLE, /* is_unified_table */
    ROLE_LOADER_OBJECT, /* is_loader_object, and no such table */
};
/* Is it a table of unified functions or data, which nothing defines unless there are any? */
bool is_unified_table(const char *name);
/* Is it an object of the loader that code for newer targets refers to? Such have values of their
   own, whatever an input says; in mercury they have none. */
bool is_loader_object(const char *name);
bool is_reserved_symbol(const char *name); /* ... of memory of the system */
uint64_t elfw_loader_value(const struct elfw *elfw, const char *name);

#endif
