#include "cubin/compat.h"

/* How values of several inputs become one. */
enum merging { NOT_MERGED, LARGEST_BUT_0, ALL_BITS, COMMON_KINDS, SAME_OR_1, LARGEST };

static const struct {
    uint8_t merging;
    uint8_t format;
    bool has_default; /* else it need not be there */
    uint16_t otherwise;
} attributes[COMPAT_ATTRIBUTES] = {
    [COMPAT_ISA_CLASS] = {LARGEST_BUT_0, EIFMT_BVAL, true, 0},
    [COMPAT_FEATURES] = {ALL_BITS, EIFMT_BVAL, true, 3},
    [COMPAT_KINDS] = {COMMON_KINDS, EIFMT_BVAL, true, 0},
    [COMPAT_SIX] = {SAME_OR_1, EIFMT_BVAL, true, 1},
    [COMPAT_VERSION] = {LARGEST, EIFMT_HVAL, true, 0x100},
    [COMPAT_EIGHT] = {LARGEST, EIFMT_HVAL, false, 0},
    [COMPAT_SPECIFIC] = {LARGEST, EIFMT_BVAL, false, 0},
    [COMPAT_MASK] = {NOT_MERGED, EIFMT_SVAL, false, 0},
};

/* A value of COMPAT_KINDS stands for a set; what is common to two sets has a value, too. */
enum { KINDS = 7 };
static const uint8_t sets[KINDS] = {0x0, 0x7, 0x3, 0x1, 0x8, 0xf, 0xb};

static uint16_t
common_kinds(uint16_t a, uint16_t b)
{
    for (uint16_t i = 0; a < KINDS && b < KINDS && i < KINDS; i++)
        if (sets[i] == (sets[a] & sets[b]))
            return i;
    return 0;
}

bool
compat_record_fits(const struct info_record *record)
{
    if (record->format == EIFMT_BVAL && record->value > UINT8_MAX)
        return false;
    if (record->attribute >= COMPAT_ATTRIBUTES || !attributes[record->attribute].format)
        return record->format >= EIFMT_NVAL && record->format <= EIFMT_SVAL;
    return record->format == attributes[record->attribute].format &&
           (record->attribute != COMPAT_KINDS || record->value < KINDS);
}

static uint16_t
larger(uint16_t a, uint16_t b)
{
    return a > b ? a : b;
}

static uint16_t
merge_value(unsigned attribute, uint16_t old, uint16_t new)
{
    if (old == new)
        return old;
    switch (attributes[attribute].merging) {
    case LARGEST_BUT_0:
        return old == 0 || new == 0 ? 0 : larger(old, new);
    case ALL_BITS:
        return old | new;
    case COMMON_KINDS:
        return common_kinds(old, new);
    case SAME_OR_1:
        return 1;
    default:
        return larger(old, new);
    }
}

bool
compat_is_specific(const struct compat_values *values)
{
    return values->values[COMPAT_SPECIFIC];
}

static void
merge_attribute(struct compat_values *into, unsigned attribute, uint16_t value)
{
    if (attributes[attribute].format == EIFMT_BVAL)
        value &= 0xff;
    if (into->present[attribute]) {
        into->values[attribute] = merge_value(attribute, into->values[attribute], value);
        return;
    }
    into->present[attribute] = true;
    into->values[attribute] = value;
    into->order[into->count++] = (uint8_t)attribute;
}

void
compat_merge(struct compat_values *into, struct bytes section)
{
    bool seen[COMPAT_ATTRIBUTES] = {0};
    struct info_record record;
    size_t offset = 0;

    while (info_next(section, &offset, &record)) {
        if (record.attribute >= COMPAT_ATTRIBUTES || !attributes[record.attribute].merging)
            continue;
        merge_attribute(into, record.attribute, record.value);
        seen[record.attribute] = true;
    }
    for (unsigned i = 0; i < COMPAT_ATTRIBUTES; i++)
        if (attributes[i].has_default && !seen[i])
            merge_attribute(into, i, attributes[i].otherwise);
}

static size_t
write_record(unsigned attribute, uint16_t value, uint8_t *out)
{
    out[0] = attributes[attribute].format;
    out[1] = (uint8_t)attribute;
    write_u16(out + 2, value);
    return INFO_HEADER_SIZE;
}

size_t
compat_write(const struct compat_values *values, bool is_specific, uint8_t *out)
{
    size_t size = write_record(COMPAT_SPECIFIC, is_specific, out);

    for (size_t i = 0; i < values->count; i++)
        if (values->order[i] != COMPAT_SPECIFIC)
            size += write_record(values->order[i], values->values[values->order[i]], out + size);
    return size;
}

bool
compat_binds(const struct compat_values *values)
{
    uint16_t kinds = values->values[COMPAT_KINDS];
    return values->values[COMPAT_ISA_CLASS] == 4 || kinds == 2 || kinds == 6;
}

bool
compat_suits_family(struct bytes section)
{
    enum { LAST_OF_FAMILY = 2, LAST_SIX = 4 };
    uint16_t isa_class = attributes[COMPAT_ISA_CLASS].otherwise;
    uint16_t six = attributes[COMPAT_SIX].otherwise;
    struct info_record record;
    size_t offset = 0;

    while (info_next(section, &offset, &record)) {
        if (record.attribute == COMPAT_ISA_CLASS)
            isa_class = (uint8_t)record.value;
        if (record.attribute == COMPAT_SIX)
            six = (uint8_t)record.value;
    }
    return isa_class && isa_class <= LAST_OF_FAMILY && six <= LAST_SIX;
}

uint64_t
compat_mask(struct bytes section)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(section, &offset, &record))
        if (record.attribute == COMPAT_MASK && record.payload.size == sizeof(uint64_t))
            return read_u64(record.payload.at);
    return 0;
}

size_t
compat_write_mask(uint64_t mask, uint8_t *out)
{
    out[0] = EIFMT_SVAL;
    out[1] = COMPAT_MASK;
    write_u16(out + 2, sizeof mask);
    write_u64(out + INFO_HEADER_SIZE, mask);
    return INFO_HEADER_SIZE + sizeof mask;
}
