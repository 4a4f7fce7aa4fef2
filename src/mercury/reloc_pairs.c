#include "mercury/reloc_pairs.h"

#include "cubin/reloc_table.h"

enum { MERCURY_TYPES = 0x41, MOST_IN_CODE = 6 };

/*
 * Fields of instructions: part of an address or an offset. SASS has several types for one of mercury,
 * by where the instruction has the field; they begin at bit 32 or behind it.
 */
static const uint8_t in_code[MERCURY_TYPES][MOST_IN_CODE] = {
    [0x02] = {75, 114, 58},              /* 64 bits: code, __UFT_OFFSET */
    [0x03] = {55, 115, 60, 61, 74, 100}, /* up to 32 bits */
    [0x04] = {59, 66, 64, 65},           /* up to 16 bits */
    [0x05] = {56, 62},                   /* the low half of an address */
    [0x06] = {57, 63},                   /* the high half */
    [0x28] = {56},                       /* the same of a place in code */
    [0x29] = {57},
    [0x3e] = {112, 62}, /* the same, unified */
    [0x3f] = {113, 63},
};

/* Data: the type of SASS; 0: not known. */
#define EIGHT(first, sass)                                                                         \
    [first] = sass, [first + 1] = sass + 1, [first + 2] = sass + 2, [first + 3] = sass + 3,        \
    [first + 4] = sass + 4, [first + 5] = sass + 5, [first + 6] = sass + 6, [first + 7] = sass + 7
static const uint8_t in_data[MERCURY_TYPES] = {
    [0x01] = 4,   [0x02] = 2,   [0x03] = 1,       [0x08] = 1,      [0x0b] = 6,      [0x0c] = 101,
    [0x0d] = 52,  [0x0e] = 73,  [0x0f] = 35,      EIGHT(0x10, 76), EIGHT(0x18, 84), EIGHT(0x20, 92),
    [0x32] = 102, [0x33] = 103, EIGHT(0x34, 104), [0x3d] = 2,
};

static bool
fits_code(uint32_t mercury, uint32_t sass)
{
    const uint8_t *types = in_code[mercury];

    if (!types[0])
        return true;
    for (int i = 0; i < MOST_IN_CODE && types[i]; i++)
        if (types[i] == sass)
            return true;
    return false;
}

static bool
fits_data(uint32_t mercury, uint32_t sass)
{
    return !in_data[mercury] || in_data[mercury] == sass;
}

bool
is_known_in_code(uint32_t mercury)
{
    uint32_t type = mercury - R_MERCURY_FIRST;

    return type < MERCURY_TYPES && in_code[type][0];
}

bool
is_known_in_data(uint32_t mercury)
{
    uint32_t type = mercury - R_MERCURY_FIRST;

    return type < MERCURY_TYPES && in_data[type];
}

/* Where instructions of mercury have the field: 8 bytes at most, at the end of a unit of 16. */
bool
is_place_of_reloc(uint32_t mercury, uint64_t offset)
{
    enum { UNIT = 16, ABS64 = 0x02 };
    uint32_t type = mercury - R_MERCURY_FIRST;

    return type >= MERCURY_TYPES || !in_code[type][0] ||
           offset % UNIT == (type == ABS64 ? UNIT - sizeof(uint64_t) : UNIT - sizeof(uint32_t));
}

bool
reloc_types_fit(uint32_t mercury, uint32_t sass, bool is_code)
{
    if (mercury < R_MERCURY_FIRST || mercury >= R_MERCURY_FIRST + MERCURY_TYPES)
        return false;
    mercury -= R_MERCURY_FIRST;
    return is_code ? fits_code(mercury, sass) : fits_data(mercury, sass);
}
