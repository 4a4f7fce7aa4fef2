#include "base/array.h"

#include "base/diag.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

void
array_grow(void *items, uint32_t count, uint32_t *capacity, size_t size, struct arena *arena)
{
    void *old, *grown;

    if (*capacity > UINT32_MAX / 2)
        diag_fatal(arena->diag, "Out of memory");
    *capacity = *capacity ? *capacity * 2 : FIRST_CAPACITY;
    memcpy(&old, items, sizeof old);
    grown = arena_alloc(arena, (size_t)*capacity * size);
    if (count)
        memcpy(grown, old, (size_t)count * size);
    memcpy(items, &grown, sizeof grown);
}
