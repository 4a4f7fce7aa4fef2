#include "base/array.h"

#include "base/diag.h"

#include <string.h>

enum { FIRST_CAPACITY = 16 };

void
array_grow(void *items, uint32_t *capacity, size_t size, struct arena *arena)
{
    void *at;
    uint32_t larger = *capacity ? *capacity * 2 : FIRST_CAPACITY;

    if (*capacity > UINT32_MAX / 2)
        diag_fatal(arena->diag, "Out of memory");
    memcpy(&at, items, sizeof at);
    at = arena_enlarge(arena, at, (size_t)*capacity * size, (size_t)larger * size);
    memcpy(items, &at, sizeof at);
    *capacity = larger;
}
