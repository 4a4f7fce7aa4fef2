#include "base/array.h"

#include "base/diag.h"
#include "base/pages.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

static void
enlarge(void *items, uint32_t *capacity, size_t size, uint32_t wanted, struct arena *arena)
{
    void *at;

    memcpy(&at, items, sizeof at);
    at = arena_enlarge(arena, at, (size_t)*capacity * size, (size_t)wanted * size);
    memcpy(items, &at, sizeof at);
    *capacity = wanted;
}

void
array_grow(void *items, uint32_t *capacity, size_t size, struct arena *arena)
{
    if (*capacity > UINT32_MAX / 2)
        diag_fatal(arena->diag, "Out of memory");
    enlarge(items, capacity, size, *capacity ? *capacity * 2 : FIRST_CAPACITY, arena);
}

void
array_make_room(void *items, uint32_t *capacity, size_t size, uint32_t wanted, struct arena *arena)
{
    if (wanted <= *capacity)
        return;
    enlarge(items, capacity, size, wanted, arena);

    /* What is wanted may be a guess: only so much of it is worth having at once. */
    enum { MOST_AT_ONCE = 16 << 20 };
    size_t room = (size_t)wanted * size;
    void *at;
    memcpy(&at, items, sizeof at);
    pages_fill(at, room < MOST_AT_ONCE ? room : MOST_AT_ONCE);
}
