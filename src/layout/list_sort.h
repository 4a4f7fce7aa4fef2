/*
 * list_sort.h: the list merge sort that fixes the order of equal elements in nvlink's layouts.
 *
 * The list is dealt out to an even and an odd half, each of which comes out reversed; the halves
 * are sorted the same way and merged. It is not stable: equal elements end in an order of their
 * own, which shows in addresses. `odd_wins_ties` says which half goes first among equals.
 */
#ifndef CULD_LAYOUT_LIST_SORT_H
#define CULD_LAYOUT_LIST_SORT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* < 0, 0, > 0 as `a` goes before, beside or behind `b`. */
typedef int (*list_compare)(const void *context, uint32_t a, uint32_t b);

void list_sort(struct arena *arena, uint32_t *list, uint32_t count, list_compare compare,
               const void *context, bool odd_wins_ties);

#endif
