/*
 * pages.h: large memory straight from the system, in huge pages where there are some.
 *
 * A link of thousands of objects spends more time in first touches of small pages than in most of
 * its phases; huge pages make them few. Memory is all zeroes, and what is not touched costs nothing.
 */
#ifndef CULD_BASE_PAGES_H
#define CULD_BASE_PAGES_H

#include <stddef.h>

/* From this size on it is worth it. */
#define PAGES_WORTH_IT ((size_t)1 << 20)

/*
 * Whether to ask for huge pages: the first one of each piece tells. In a guest whose host takes back
 * free memory one may cost thirty times what it costs to clear it; small pages mostly are memory at
 * hand.
 */
enum huge_pages { HUGE_PAGES_UNTRIED, HUGE_PAGES_CHEAP, HUGE_PAGES_DEAR };

/* NULL if there is no memory. */
void *pages_take(size_t size, enum huge_pages *huge);

/* The same bytes in a larger piece, moved without being copied; NULL, and nothing has changed, if
   there is no memory. */
void *pages_enlarge(void *at, size_t size, size_t new_size, enum huge_pages *huge);

/* All of this will be read soon. */
void pages_expect(const void *at, size_t size);

void pages_give_back(void *at, size_t size);

#endif
