/*
 * arena.h: memory of one link. Allocated piecemeal, freed at once; nothing is freed before.
 *
 * Running out of memory is fatal to the link (diag_fatal): unless they say so, allocations do not
 * return NULL.
 */
#ifndef CULD_BASE_ARENA_H
#define CULD_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct diag;
struct arena_block;

struct arena {
    struct arena_block *blocks;
    char *next;
    size_t left;
    size_t
        fill_below; /* where less than this is left, the next part of the block is due to be filled */
    size_t shared; /* bytes of the blocks that small allocations share */
    bool is_zero;  /* what is left of the current one is all zeroes */
    bool stays_small;
    struct diag *diag;
    struct {
        char *at;
        size_t size, used;
    } packed;                   /* of arena_expect_large */
    struct arena *outer;        /* of a scratch arena: the one its blocks come from */
    struct arena_block *spares; /* of a scratch arena: blocks that nothing uses now */
};

void arena_init(struct arena *arena, struct diag *diag);
void arena_free_all(struct arena *arena);

/* A megabyte or so will do: huge pages are not worth it, all of which are cleared when one is touched. */
void arena_expect_little(struct arena *arena);

/* Large memory, of so many bytes together, is asked for next: it will lie in one block, and thus in huge
   pages, where each part of it would be too small for one. Once for an arena. */
void arena_expect_large(struct arena *arena, size_t size);

/*
 * An arena for what is needed for a while. Its blocks belong to another arena. What was allocated
 * since a mark is gone when it is released, and its memory serves what comes next, so that hardly
 * any is touched for the first time.
 */
void arena_init_scratch(struct arena *arena, struct arena *outer);

struct arena_mark {
    struct arena_block *blocks;
    char *next;
    size_t left;
};
struct arena_mark arena_mark(const struct arena *scratch);
void arena_release(struct arena *scratch, struct arena_mark mark);

/* Uninitialised, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
/* NULL where there is no memory, for those who have to tidy up first. */
void *arena_try_alloc(struct arena *arena, size_t size);
void *arena_zero(struct arena *arena, size_t size);

/* The first `size` bytes of what came from here in a larger one. `old` (NULL: none yet) must be of
   just that size and is gone. */
void *arena_enlarge(struct arena *arena, void *old, size_t size, size_t new_size);

/* Memory that is no longer needed and never was enlarged, of just that size; what is small stays with
   the arena. */
void arena_give_back(struct arena *arena, void *memory, size_t size);

/* An array of zeroes; the product is checked. */
void *arena_array(struct arena *arena, size_t count, size_t size);

char *arena_text(struct arena *arena, const char *text, size_t length);
/* One text behind the other. */
char *arena_join(struct arena *arena, const char *first, const char *second);
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
