/*
 * reloc_table.h: the relocation types of SASS code, one row each.
 *
 * A kind says who resolves it and which bits it writes. Adding a relocation means adding a row.
 */
#ifndef CULD_CUBIN_RELOC_TABLE_H
#define CULD_CUBIN_RELOC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum reloc_class {
    RELOC_NONE,
    RELOC_LINKER,     /* the linker can compute it */
    RELOC_DRIVER,     /* only the loader knows the value */
    RELOC_DESCRIPTOR, /* descriptor of a function: loader, functions only */
    RELOC_BRANCH,     /* relative to the place */
    RELOC_YIELD,      /* forward-progress marks of the compiler */
    RELOC_CLEAR,      /* zeroes the field if the symbol was deleted */
};

enum field_source {
    FIELD_NONE,
    FIELD_VALUE, /* symbol + addend, shifted */
    FIELD_BYTE,  /* like FIELD_VALUE, but REL adds the old bits before the shift */
    FIELD_BANK,  /* number of the constant bank */
    FIELD_SLOT,  /* texture slot */
    FIELD_ZERO,  /* whatever the addend says */
    FIELD_KEPT,  /* filled in by the loader: read where REL becomes RELA, never written */
};

enum { RELOC_MAX_FIELDS = 3 };

struct reloc_field {
    uint8_t bit; /* counted from bit 0 of the byte at r_offset */
    uint8_t width;
    uint8_t source;
    uint8_t shift;
};

struct reloc_kind {
    const char *name;
    uint8_t class;
    uint32_t plain; /* the type it is written as: UNIFIED types have a plain twin */
    struct reloc_field fields[RELOC_MAX_FIELDS];
};

/* Types of mercury are numbered from here. */
enum {
    R_MERCURY_FIRST = 0x10000,
    R_MERCURY_ABS64 = 0x10002,
    R_MERCURY_ABS32 = 0x10003,
    R_MERCURY_ABS16 = 0x10004,
    R_MERCURY_PROG_REL64 = 0x10007,
    R_MERCURY_PROG_REL32 = 0x10008,
    R_MERCURY_UNUSED_CLEAR64 = 0x1000e,
    R_MERCURY_PROG_REL8_FIRST = 0x1002a,
    R_MERCURY_PROG_REL8_LAST = 0x10031,
    R_MERCURY_ABS_PROG_REL64 = 0x1003d,
    R_MERCURY_ABS_PROG_REL32_LO = 0x10028,
    R_MERCURY_ABS_PROG_REL32_HI = 0x10029,
    R_MERCURY_TEX_HEADER_INDEX = 0x1000b,
    R_MERCURY_SAMP_HEADER_INDEX = 0x1000c,
    R_MERCURY_SURF_HEADER_INDEX = 0x1000d,
};

enum {
    R_CUDA_32 = 1,
    R_CUDA_64 = 2,
    R_CUDA_ABS32_LO_32 = 56,
    R_CUDA_YIELD_OPCODE9_0 = 68,
    R_CUDA_YIELD_CLEAR_PRED4_87 = 69,
    R_CUDA_UNUSED_CLEAR64 = 73,
    R_CUDA_TEX_HEADER_INDEX = 6,
    R_CUDA_SAMP_HEADER_INDEX = 7,
    R_CUDA_SURF_HEADER_INDEX = 52,
    R_CUDA_SAMP_HEADER_INDEX_0 = 101,
    R_CUDA_UNIFIED_FIRST = 102,
    R_CUDA_UNIFIED_LAST = 113,
};

/* NULL for a number that names no type. */
const struct reloc_kind *reloc_kind(uint32_t type);

static inline bool
is_of_yield(uint32_t type)
{
    return type == R_CUDA_YIELD_OPCODE9_0 || type == R_CUDA_YIELD_CLEAR_PRED4_87;
}

/* Distances in code, which SASS has already: mercury alone has relocations of these types. */
static inline bool
is_distance_in_code(uint32_t type)
{
    return type == R_MERCURY_PROG_REL32 || type == R_MERCURY_PROG_REL64 ||
           (type >= R_MERCURY_PROG_REL8_FIRST && type <= R_MERCURY_PROG_REL8_LAST);
}

#endif
