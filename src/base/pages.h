/*
 * pages.h: large memory straight from the system, in huge pages where there are some.
 *
 * A link of thousands of objects spends more time in first touches of small pages than in most of
 * its phases; huge pages make them few. Memory is all zeroes, and what is not touched costs nothing.
 */
#ifndef CULD_BASE_PAGES_H
#define CULD_BASE_PAGES_H

#include <stddef.h>

/* From this size on it is worth it: more than the block of a small link, which the next one uses again
   if it comes from the C library. */
#define PAGES_WORTH_IT ((size_t)320 << 10)

/* NULL if there is no memory. */
void *pages_take(size_t size);

/* The same bytes in a larger piece, moved without being copied; NULL, and nothing has changed, if
   there is no memory. */
void *pages_enlarge(void *at, size_t size, size_t new_size);

/* All of this will be read soon. */
void pages_expect(const void *at, size_t size);

/* All of this, of any origin, will be written soon: it comes at once, not page by page. */
void pages_fill(void *at, size_t size);

void pages_give_back(void *at, size_t size);

#endif
