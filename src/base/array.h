/*
 * array.h: a growable array in an arena, typed by its declaration:
 *
 *     ARRAY(struct edge) edges;
 *     array_push(&edges, arena, ((struct edge){.callee = 3}));
 *     edges.at[0], edges.count
 */
#ifndef CULD_BASE_ARRAY_H
#define CULD_BASE_ARRAY_H

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

/* Elements of a table whose size is known. */
#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

#define ARRAY(type)                                                                                \
    struct {                                                                                       \
        type *at;                                                                                  \
        uint32_t count;                                                                            \
        uint32_t capacity;                                                                         \
    }

/* Makes room for more elements; those there are may move. */
void array_grow(void *items, uint32_t *capacity, size_t size, struct arena *arena);

/* The same for `wanted` of them in all, which will come: they will not have to move, and no access to
   one of them waits for memory. */
void array_make_room(void *items, uint32_t *capacity, size_t size, uint32_t wanted,
                     struct arena *arena);

#define array_expect(array, arena, wanted)                                                         \
    array_make_room(&(array)->at, &(array)->capacity, sizeof *(array)->at, wanted, arena)

#define array_push(array, arena, ...)                                                              \
    do {                                                                                           \
        if ((array)->count == (array)->capacity)                                                   \
            array_grow(&(array)->at, &(array)->capacity, sizeof *(array)->at, arena);              \
        (array)->at[(array)->count++] = (__VA_ARGS__);                                             \
    } while (0)

/* The same, made where it stays: a pointer to one more element that is all zeroes, until the array
   grows. */
#define array_add(array, arena)                                                                    \
    ((array)->count == (array)->capacity                                                           \
         ? array_grow(&(array)->at, &(array)->capacity, sizeof *(array)->at, arena)                \
         : (void)0,                                                                                \
     memset(&(array)->at[(array)->count++], 0, sizeof *(array)->at))

#endif
