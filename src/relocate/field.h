/*
 * field.h: writing the bit fields of a relocation.
 */
#ifndef CULD_RELOCATE_FIELD_H
#define CULD_RELOCATE_FIELD_H

#include "base/bytes.h"
#include "cubin/reloc_table.h"

struct reloc_value {
    uint64_t symbol; /* S */
    uint64_t addend; /* A; REL entries take the old bits of each field instead */
    uint32_t bank;
    uint64_t slot;
};

/*
 * Writes all fields of the kind at `at`; `room` bytes from there belong to the section, what would
 * lie behind is cut off. Values are truncated to their fields without a check.
 */
void fields_write(const struct reloc_kind *kind, const struct reloc_value *value, bool use_old,
                  uint8_t *at, uint64_t room);

void fields_clear(const struct reloc_kind *kind, uint8_t *at, uint64_t room);

/* The sum of the kind's first fields, at most so many. */
uint64_t fields_read(const struct reloc_kind *kind, int most, const uint8_t *at, uint64_t room);

#endif
