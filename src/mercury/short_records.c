#include "mercury/short_records.h"

#include "base/sorted.h"

/* The record, the first byte highest; bits of its instruction, the opcode among them, and what they are. */
struct short_record {
    uint32_t key;
    uint64_t low_mask, high_mask, low, high;
};

static const struct short_record records[] = {
#define RECORD(key, ...) {key, __VA_ARGS__},
#include "mercury/short_records.inc"
#undef RECORD
};

enum { RECORDS = sizeof records / sizeof *records };

/* The first that is not smaller. */
static const struct short_record *
records_from(uint32_t key)
{
    return records + first_not_below(records, RECORDS, sizeof *records, key);
}

static bool
is_of(const struct short_record *row, struct instruction one)
{
    return (one.low & row->low_mask) == row->low && (one.high & row->high_mask) == row->high;
}

enum shape_answer
compare_with_short_record(const uint8_t *record, struct instruction one)
{
    uint32_t key = record_head(record);
    const struct short_record *row = records_from(key);

    if (row == records + RECORDS || row->key != key)
        return SHAPE_UNKNOWN;
    return is_of(row, one) ? SHAPE_FITS : SHAPE_DIFFERS;
}

/* Other numbers in the same group may be those of rarer forms, and the record may be whole. */
bool
is_changed_short_record(const uint8_t *record, struct instruction one)
{
    const uint32_t sizes_and_numbers = 0xff00fe00;
    uint32_t key = record_head(record);

    for (const struct short_record *row = records; row < records + RECORDS; row++) {
        uint32_t differs = key ^ row->key;
        if (!(differs & (differs - 1)) && !(differs & sizes_and_numbers) && is_of(row, one))
            return true;
    }
    return false;
}
