#include "base/arena.h"

#include "base/diag.h"
#include "base/pages.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Small allocations share blocks; a large one has a block of its own, so that it can be given back,
   and one that grows has so earlier, so that it can be enlarged. */
struct arena_block {
    struct arena_block *next;
    struct arena_block *previous;
    size_t size; /* with this head; from PAGES_WORTH_IT on the block was taken from the system */
    alignas(max_align_t) char memory[];
};

enum {
    ALIGNMENT = alignof(max_align_t),
    SMALL_BLOCK_SIZE = 256 * 1024,
    SHARED_BLOCK_SIZE = 2 * 1024 * 1024,
    MOST_IN_SMALL_BLOCKS = 2 * 1024 * 1024,
    OWN_BLOCK_SIZE = 256 * 1024, /* allocations from here on */
    OWN_GROWING_SIZE = 64 * 1024,
    FILLED_AT_ONCE = 32 * 1024,     /* of a small block */
    MOST_FILLED = 16 * 1024 * 1024, /* of a large one */
    SCRATCH_BLOCK_SIZE = 64 * 1024,
    HEAD = offsetof(struct arena_block, memory),
};

void
arena_init(struct arena *arena, struct diag *diag)
{
    *arena = (struct arena){.diag = diag};
}

void
arena_init_scratch(struct arena *arena, struct arena *outer)
{
    *arena = (struct arena){.diag = outer->diag, .outer = outer};
}

static bool
is_in_pages(const struct arena_block *block)
{
    return block->size >= PAGES_WORTH_IT;
}

static void
free_block(struct arena_block *block)
{
    if (is_in_pages(block))
        pages_give_back(block, block->size);
    else
        free(block);
}

void
arena_free_all(struct arena *arena)
{
    for (struct arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free_block(block);
    }
    arena_init(arena, arena->diag);
}

static void
link_block(struct arena *arena, struct arena_block *block, size_t size)
{
    block->size = size;
    block->previous = NULL;
    block->next = arena->blocks;
    if (arena->blocks)
        arena->blocks->previous = block;
    arena->blocks = block;
}

static void
unlink_block(struct arena *arena, struct arena_block *block)
{
    if (block->previous)
        block->previous->next = block->next;
    else
        arena->blocks = block->next;
    if (block->next)
        block->next->previous = block->previous;
}

/* Of a scratch arena. */
static struct arena_block *
find_spare(struct arena *arena, size_t size)
{
    struct arena_block **at = &arena->spares, *spare;

    while (*at && (*at)->size < size)
        at = &(*at)->next;
    spare = *at;
    if (spare)
        *at = spare->next;
    return spare;
}

/* `size` includes the head. NULL if there is no memory. */
static struct arena_block *
new_block(struct arena *arena, size_t size)
{
    struct arena_block *block = arena->outer ? find_spare(arena, size) : NULL;

    if (block)
        size = block->size;
    else if (arena->outer)
        block = arena_try_alloc(arena->outer, size);
    else
        block = size < PAGES_WORTH_IT ? malloc(size) : pages_take(size);
    if (block)
        link_block(arena, block, size);
    return block;
}

struct arena_mark
arena_mark(const struct arena *scratch)
{
    return (struct arena_mark){scratch->blocks, scratch->next, scratch->left};
}

void
arena_release(struct arena *scratch, struct arena_mark mark)
{
    while (scratch->blocks != mark.blocks) {
        struct arena_block *block = scratch->blocks;

        unlink_block(scratch, block);
        block->next = scratch->spares;
        scratch->spares = block;
    }
    scratch->next = mark.next;
    scratch->left = mark.left;
}

static _Noreturn void
fail(struct arena *arena)
{
    diag_fatal(arena->diag, "Out of memory");
}

/* Nothing has an address too; what can never be had stays so. */
static size_t
rounded(size_t size)
{
    if (size == 0)
        return ALIGNMENT;
    return size > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void
arena_expect_little(struct arena *arena)
{
    arena->stays_small = true;
}

/* Shared blocks are large but for the first, or the first ones where no more is expected. */
static size_t
shared_block_size(const struct arena *arena)
{
    bool is_small = arena->stays_small && arena->shared < MOST_IN_SMALL_BLOCKS;

    return is_small || !arena->shared ? SMALL_BLOCK_SIZE : SHARED_BLOCK_SIZE;
}

/* Those of a scratch arena are as large as they have to be. */
static bool
new_shared_block(struct arena *arena, size_t needed)
{
    size_t size = shared_block_size(arena);

    if (arena->outer)
        size = HEAD + needed > SCRATCH_BLOCK_SIZE ? HEAD + needed : SCRATCH_BLOCK_SIZE;
    struct arena_block *block = new_block(arena, size);

    if (!block)
        return false;
    arena->next = block->memory;
    arena->left = block->size - HEAD;
    arena->shared += block->size;
    arena->fill_below = size == SMALL_BLOCK_SIZE ? arena->left + 1 : 0;
    arena->is_zero = !arena->outer && is_in_pages(block);
    return true;
}

/* Of a small block, which has no huge pages: some small ones at once are had in half the time. */
static void
fill_next_part(struct arena *arena)
{
    size_t part = arena->left < FILLED_AT_ONCE ? arena->left : FILLED_AT_ONCE;

    pages_fill(arena->next, part);
    arena->fill_below = arena->left - part;
}

void
arena_expect_large(struct arena *arena, size_t size)
{
    enum { MOST_PACKED = 4 << 20 }; /* parts of more fill huge pages each by itself */
    struct arena_block *block;

    if (arena->packed.size || size < PAGES_WORTH_IT || size > MOST_PACKED ||
        !(block = new_block(arena, HEAD + size)))
        return;
    arena->packed.at = block->memory;
    arena->packed.size = size;
}

static bool
can_be_packed(const struct arena *arena, size_t size)
{
    return size <= arena->packed.size - arena->packed.used;
}

/* Does large memory lie in a block of its own? */
static bool
is_alone(const struct arena *arena, const void *memory)
{
    return (uintptr_t)memory - (uintptr_t)arena->packed.at >= arena->packed.size;
}

static void *
take_large(struct arena *arena, size_t size, bool *is_zero)
{
    if (can_be_packed(arena, size)) {
        void *memory = arena->packed.at + arena->packed.used;

        arena->packed.used += size;
        *is_zero = true;
        return memory;
    }
    struct arena_block *block = new_block(arena, HEAD + size);
    *is_zero = block && is_in_pages(block);
    return block ? block->memory : NULL;
}

/* NULL if there is no memory; else *is_zero says whether it is all zeroes. */
static void *
take(struct arena *arena, size_t size, size_t own_from, bool *is_zero)
{
    size = rounded(size);
    if (size >= own_from && !arena->outer)
        return take_large(arena, size, is_zero);
    if (size > arena->left && !new_shared_block(arena, size))
        return NULL;
    void *memory = arena->next;
    arena->next += size;
    arena->left -= size;
    if (arena->left < arena->fill_below)
        fill_next_part(arena);
    *is_zero = arena->is_zero;
    return memory;
}

void *
arena_try_alloc(struct arena *arena, size_t size)
{
    bool is_zero;
    return take(arena, size, OWN_BLOCK_SIZE, &is_zero);
}

void *
arena_alloc(struct arena *arena, size_t size)
{
    void *memory = arena_try_alloc(arena, size);

    if (!memory)
        fail(arena);
    return memory;
}

/* What is written at once comes at once. */
static void
fill(void *memory, size_t size)
{
    if (size >= FILLED_AT_ONCE)
        pages_fill(memory, size < MOST_FILLED ? size : MOST_FILLED);
}

/* Memory from the system is zero already, and is handed out once. */
void *
arena_zero(struct arena *arena, size_t size)
{
    bool is_zero;
    void *memory = take(arena, size, OWN_BLOCK_SIZE, &is_zero);

    if (!memory)
        fail(arena);
    fill(memory, size);
    return is_zero ? memory : memset(memory, 0, size);
}

static struct arena_block *
own_block(void *memory)
{
    return (void *)((char *)memory - HEAD);
}

static void
drop_block(struct arena *arena, struct arena_block *block)
{
    unlink_block(arena, block);
    free_block(block);
}

void
arena_give_back(struct arena *arena, void *memory, size_t size)
{
    if (rounded(size) < OWN_BLOCK_SIZE || arena->outer || !is_alone(arena, memory))
        return;
    drop_block(arena, own_block(memory));
}

static struct arena_block *
enlarge_block(struct arena_block *block, size_t size)
{
    if (size < PAGES_WORTH_IT)
        return realloc(block, size);
    if (is_in_pages(block))
        return pages_enlarge(block, block->size, size);
    struct arena_block *larger = pages_take(size);
    if (larger) {
        fill(larger, block->size);
        memcpy(larger, block, block->size);
        free(block);
    }
    return larger;
}

/* Into new memory. */
static void *
copy_to_larger(struct arena *arena, void *old, size_t size, size_t wanted)
{
    bool is_zero;
    void *memory = take(arena, wanted, OWN_GROWING_SIZE, &is_zero);

    if (!memory)
        fail(arena);
    if (!old)
        return memory;
    fill(memory, size);
    return memcpy(memory, old, size);
}

void *
arena_enlarge(struct arena *arena, void *old, size_t size, size_t new_size)
{
    size_t wanted = rounded(new_size);
    bool has_block =
        old && rounded(size) >= OWN_GROWING_SIZE && !arena->outer && is_alone(arena, old);

    if (!has_block || can_be_packed(arena, wanted)) {
        void *memory = copy_to_larger(arena, old, size, wanted);
        if (has_block)
            drop_block(arena, own_block(old));
        return memory;
    }
    struct arena_block *block = own_block(old);
    unlink_block(arena, block);
    struct arena_block *larger = enlarge_block(block, HEAD + wanted);
    if (!larger) {
        link_block(arena, block, block->size);
        fail(arena);
    }
    link_block(arena, larger, HEAD + wanted);
    return larger->memory;
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        fail(arena);
    return arena_zero(arena, count * size);
}

char *
arena_text(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);

    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *
arena_join(struct arena *arena, const char *first, const char *second)
{
    size_t length = strlen(first), rest = strlen(second) + 1;
    char *text = arena_alloc(arena, length + rest);

    memcpy(text, first, length);
    memcpy(text + length, second, rest);
    return text;
}

char *
arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments, again;

    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
