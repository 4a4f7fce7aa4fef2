/*
 * arena.h: memory of one link. Allocated piecemeal, freed at once; nothing is freed before.
 *
 * Running out of memory is fatal to the link (diag_fatal), so allocations never return NULL.
 */
#ifndef CULD_BASE_ARENA_H
#define CULD_BASE_ARENA_H

#include <stddef.h>

struct diag;
struct arena_block;

struct arena {
    struct arena_block *blocks;
    char *next;
    size_t left;
    struct diag *diag;
};

void arena_init(struct arena *arena, struct diag *diag);
void arena_free_all(struct arena *arena);

/* Uninitialised, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_zero(struct arena *arena, size_t size);

/* An array of zeroes; the product is checked. */
void *arena_array(struct arena *arena, size_t count, size_t size);

char *arena_text(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
