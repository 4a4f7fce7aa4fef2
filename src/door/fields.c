#include "door/check.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"

#include <stdlib.h>

/* The bits that a relocation of data fills in: slots of a texture and its sampler share a word. */
struct field {
    uint64_t start, end;
};

static struct field
field_of(const uint8_t *entry)
{
    enum { BITS = 8 };
    const struct reloc_kind *kind = reloc_kind(entry_type(entry));
    uint64_t place = entry_offset(entry) * BITS;
    struct field field = {place, place + BITS};

    if (!kind || !kind->fields->width)
        return field;
    field = (struct field){UINT64_MAX, place};
    for (size_t i = 0; i < RELOC_MAX_FIELDS && kind->fields[i].width; i++) {
        uint64_t start = place + kind->fields[i].bit;

        field.start = start < field.start ? start : field.start;
        field.end = max_u64(field.end, start + kind->fields[i].width);
    }
    return field;
}

static int
by_place(const void *first, const void *second)
{
    const struct field *a = first, *b = second;

    return (a->start > b->start) - (a->start < b->start);
}

/* Compilers write most tables from the end to the beginning, or the other way round. */
static bool
is_in_order(struct bytes entries, size_t step)
{
    bool rises = true, falls = true;
    struct field before = {0};

    for (size_t at = 0; at + step <= entries.size && (rises || falls); at += step) {
        struct field field = field_of(entries.at + at);
        rises &= !at || before.end <= field.start;
        falls &= !at || field.end <= before.start;
        before = field;
    }
    return rises || falls;
}

bool
has_shared_fields(const struct door *door, struct bytes entries, size_t step)
{
    size_t count = entries.size / step;

    if (is_in_order(entries, step))
        return false;
    struct field *fields = arena_alloc(door->arena, count * sizeof *fields);
    for (size_t i = 0; i < count; i++)
        fields[i] = field_of(entries.at + i * step);
    qsort(fields, count, sizeof *fields, by_place);
    for (size_t i = 1; i < count; i++)
        if (fields[i].start < fields[i - 1].end)
            return true;
    return false;
}
