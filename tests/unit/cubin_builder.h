/*
 * cubin_builder.h: relocatable cubins made in memory, as small as a test wants them.
 *
 *     struct cubin *a = cubin_new(&arena, 75);
 *     uint32_t k = cubin_function(a, &(struct cubin_function){"k", .is_entry = true});
 *     uint32_t f = cubin_reference(a, "f", STT_FUNC, STB_GLOBAL, 0, 0);
 *     cubin_call(a, k, f);
 *     merge_elf(elfw, "a.cubin", cubin_image(a));
 *
 * Sections and symbols stand in the order in which they were added, behind .shstrtab, .strtab,
 * .symtab and .note.nv.cuinfo. Records and call graph rows make their sections when the image is.
 */
#ifndef CULD_TEST_CUBIN_BUILDER_H
#define CULD_TEST_CUBIN_BUILDER_H

#include "base/array.h"
#include "base/bytes.h"
#include "cubin/cubin.h"

struct cubin_section {
    const char *name;
    uint32_t type;
    uint64_t flags, align, entsize;
    uint32_t link, info;
    const void *bytes; /* NULL: zeroes, or no contents where the type has none */
    uint64_t size;
};

struct cubin_row {
    uint32_t first, second;
};

struct cubin {
    struct arena *arena;
    uint32_t sm;
    uint16_t virtual_arch; /* of .note.nv.cuinfo; cubin_new makes it that of `sm` */
    uint16_t toolkit;
    bool has_no_note;
    ARRAY(struct cubin_section) sections;
    ARRAY(Elf64_Sym) symbols;
    ARRAY(const char *) symbol_names;
    ARRAY(const char *) strings; /* further strings of .strtab: prototypes */
    ARRAY(uint8_t) records;      /* .nv.info */
    ARRAY(struct cubin_row) calls, taken, indirect, takes_address, prototypes;
};

struct cubin *cubin_new(struct arena *arena, uint32_t sm);
struct bytes cubin_image(struct cubin *cubin);

uint32_t cubin_add_section(struct cubin *cubin, const struct cubin_section *section);
uint32_t cubin_add_symbol(struct cubin *cubin, const char *name, const Elf64_Sym *symbol);

/* A defined function with its .text.NAME and, of a kernel, .nv.info.NAME; `fill` shows whose bytes
   they are. */
struct cubin_function {
    const char *name;
    uint8_t binding; /* STB_LOCAL unless said */
    bool is_entry;
    uint8_t fill;
    uint64_t size;            /* of the code; 0: 128 bytes */
    uint8_t header_registers; /* the byte of sh_info */
    uint32_t registers;       /* of the REGCOUNT record; 0: no record */
    uint32_t frame_size;      /* of the FRAME_SIZE record; 0: no record */
};
uint32_t cubin_function(struct cubin *cubin, const struct cubin_function *function);

/* A second name for a function: in the same section, which names the first one. */
uint32_t cubin_alias(struct cubin *cubin, const char *name, uint8_t binding, uint32_t of);

/* A variable in a section of its own kind (.nv.global.init, .nv.global, .nv.constant3). */
enum cubin_space { SPACE_INITIALISED, SPACE_ZERO, SPACE_CONSTANT };
uint32_t cubin_variable(struct cubin *cubin, const char *name, uint8_t binding,
                        enum cubin_space space, uint8_t fill, uint64_t size);

/* An undefined symbol. */
uint32_t cubin_reference(struct cubin *cubin, const char *name, uint8_t type, uint8_t binding,
                         uint8_t other, uint64_t size);

/* An SVAL record of .nv.info. */
void cubin_record(struct cubin *cubin, uint8_t attribute, uint32_t symbol, uint32_t value);

void cubin_call(struct cubin *cubin, uint32_t caller, uint32_t callee);
void cubin_take_address(struct cubin *cubin, uint32_t function, const char *prototype);
void cubin_call_indirectly(struct cubin *cubin, uint32_t caller, const char *prototype);
void cubin_prototype(struct cubin *cubin, uint32_t function, const char *prototype);

/* A relocation table of one entry for that section. */
void cubin_relocation(struct cubin *cubin, uint32_t section, uint64_t offset, uint32_t type,
                      uint32_t symbol, int64_t addend);

#endif
