#include "door/check.h"

#include <stdlib.h>

static int
by_value(const void *first, const void *second)
{
    const uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;

    return (a > b) - (a < b);
}

static uint64_t
value_at(struct bytes rows, size_t at, size_t width)
{
    return width == sizeof(uint32_t) ? read_u32(rows.at + at) : read_u64(rows.at + at);
}

/* Most lists rise or fall, and need not be sorted. */
static bool
is_in_order(struct bytes rows, size_t step, size_t width)
{
    bool rises = true, falls = true;

    for (size_t at = step; at + step <= rows.size && (rises || falls); at += step) {
        uint64_t before = value_at(rows, at - step, width), value = value_at(rows, at, width);
        rises &= before < value;
        falls &= before > value;
    }
    return rises || falls;
}

/* Each with each: for a few that is less than to sort them. */
static bool
has_same_pair(const uint64_t *values, size_t count)
{
    bool any = false;

    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            any |= values[k] == values[i];
    return any;
}

bool
has_repeats(const struct door *door, struct bytes rows, size_t step, size_t width)
{
    enum { FEW = 24 };
    size_t count = rows.size / step;

    if (is_in_order(rows, step, width))
        return false;
    uint64_t *values = arena_alloc(door->arena, count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        values[i] = value_at(rows, i * step, width);
    if (count <= FEW)
        return has_same_pair(values, count);
    qsort(values, count, sizeof *values, by_value);
    for (size_t i = 1; i < count; i++)
        if (values[i - 1] == values[i])
            return true;
    return false;
}

/* The same row of two lists. */
struct value_pair {
    uint64_t first, second;
};

static int
by_first(const void *one, const void *other)
{
    return by_value(&((const struct value_pair *)one)->first,
                    &((const struct value_pair *)other)->first);
}

bool
has_same_order(const struct door *door, struct bytes rows, struct bytes others, size_t step)
{
    size_t count = rows.size / step;
    struct value_pair *pairs = arena_array(door->arena, count, sizeof *pairs);

    for (size_t i = 0; i < count; i++)
        pairs[i] =
            (struct value_pair){read_u64(rows.at + i * step), read_u64(others.at + i * step)};
    qsort(pairs, count, sizeof *pairs, by_first);
    for (size_t i = 1; i < count; i++)
        if (pairs[i - 1].second >= pairs[i].second)
            return false;
    return true;
}
