#include "cubin/compat.h"

#include "cubin/nvinfo.h"

enum compat_attribute {
    COMPAT_ISA_CLASS = 2,
    COMPAT_FEATURES = 3,
    COMPAT_FIVE = 5,
    COMPAT_SIX = 6,
    COMPAT_VERSION = 7,
    COMPAT_SPECIFIC = 9,
    COMPAT_MASK = 11,
};

static uint16_t
smaller(uint16_t a, uint16_t b)
{
    return a < b ? a : b;
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
    switch (attribute) {
    case COMPAT_ISA_CLASS:
        return old == 0 || new == 0 ? 0 : larger(old, new);
    case COMPAT_FEATURES:
        return old | new;
    case COMPAT_VERSION:
        return larger(old, new);
    case COMPAT_FIVE: /* 3 and 4 exclude each other */
        return smaller(old, new) == 3 && larger(old, new) == 4 ? 0 : smaller(old, new);
    default:
        return smaller(old, new);
    }
}

bool
compat_is_specific(const struct compat_values *values)
{
    return values->values[COMPAT_SPECIFIC];
}

void
compat_merge(struct compat_values *into, struct bytes section)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(section, &offset, &record)) {
        unsigned attribute = record.attribute;

        if (record.format == EIFMT_SVAL || attribute >= COMPAT_ATTRIBUTES)
            continue;
        if (attribute != COMPAT_VERSION)
            record.value &= 0xff;
        into->values[attribute] =
            into->present[attribute] ? merge_value(attribute, into->values[attribute], record.value)
                                     : record.value;
        into->present[attribute] = true;
    }
}

size_t
compat_write(const struct compat_values *values, bool is_specific, uint8_t *out)
{
    static const uint8_t order[] = {COMPAT_SPECIFIC, COMPAT_ISA_CLASS, COMPAT_FIVE,
                                    COMPAT_VERSION,  COMPAT_FEATURES,  COMPAT_SIX};
    size_t size = 0;

    for (size_t i = 0; i < sizeof order; i++) {
        unsigned attribute = order[i];
        bool is_target_mark = attribute == COMPAT_SPECIFIC;

        if (!values->present[attribute] && !is_target_mark)
            continue;
        out[size] = attribute == COMPAT_VERSION ? EIFMT_HVAL : EIFMT_BVAL;
        out[size + 1] = (uint8_t)attribute;
        write_u16(out + size + 2, is_target_mark ? is_specific : values->values[attribute]);
        size += INFO_HEADER_SIZE;
    }
    return size;
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
