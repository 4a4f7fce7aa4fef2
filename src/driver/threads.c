#include "base/parallel.h"
#include "link.h"

#include <stdlib.h>

/* A further thread must have enough to do to be worth its start. */
static unsigned
worth_of(uint64_t bytes)
{
    enum { BYTES_OF_A_THREAD = 2 << 20 };
    uint64_t worth = bytes / BYTES_OF_A_THREAD;

    return worth < 1 ? 1 : worth < MOST_THREADS ? (unsigned)worth : MOST_THREADS;
}

static unsigned
least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Who names a number gets it. */
static unsigned
asked_for(const char *number)
{
    uint64_t count = strtoull(number, NULL, 0);
    return count == 0 ? 1 : (unsigned)(count < UINT32_MAX ? count : UINT32_MAX);
}

unsigned
link_threads(culd_link *link, uint64_t bytes)
{
    unsigned worth = worth_of(bytes);

    if (link->options.threads)
        return asked_for(link->options.threads);
    if (worth > 1 && !link->free_processors)
        link->free_processors = parallel_free_processors();
    return worth > 1 ? least(worth, link->free_processors) : 1;
}

unsigned
link_waiting_threads(const culd_link *link, uint64_t bytes)
{
    unsigned worth = worth_of(bytes);

    if (link->options.threads)
        return asked_for(link->options.threads);
    return worth > 1 ? least(worth, parallel_processors()) : 1;
}
