#include "base/arena.h"

#include "base/diag.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_block {
    struct arena_block *next;
    alignas(max_align_t) char memory[];
};

enum { BLOCK_SIZE = 256 * 1024, ALIGNMENT = alignof(max_align_t) };

void
arena_init(struct arena *arena, struct diag *diag)
{
    *arena = (struct arena){.diag = diag};
}

void
arena_free_all(struct arena *arena)
{
    for (struct arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    arena_init(arena, arena->diag);
}

static char *
new_block(struct arena *arena, size_t size)
{
    struct arena_block *block =
        size > SIZE_MAX - sizeof *block ? NULL : malloc(sizeof *block + size);

    if (!block)
        diag_fatal(arena->diag, "Out of memory");
    block->next = arena->blocks;
    arena->blocks = block;
    return block->memory;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGNMENT)
        diag_fatal(arena->diag, "Out of memory");
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (size > arena->left) {
        /* A large piece gets a block of its own and leaves the current one in use. */
        if (size > BLOCK_SIZE / 4)
            return new_block(arena, size);
        arena->next = new_block(arena, BLOCK_SIZE);
        arena->left = BLOCK_SIZE;
    }
    void *memory = arena->next;
    arena->next += size;
    arena->left -= size;
    return memory;
}

void *
arena_zero(struct arena *arena, size_t size)
{
    return memset(arena_alloc(arena, size), 0, size);
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        diag_fatal(arena->diag, "Out of memory");
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
