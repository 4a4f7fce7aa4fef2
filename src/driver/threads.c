#include "base/parallel.h"
#include "link.h"

#include <stdlib.h>

/* Who names a number gets it; else a further thread must have enough to do to be worth its start. What is
   done in some milliseconds one does alone: two that share a core take more of its time than one. */
unsigned
link_threads(const culd_link *link, uint64_t bytes)
{
    enum { BYTES_FOR_ONE = 8 << 20, BYTES_OF_A_THREAD = 2 << 20 };
    const char *asked = link->options.threads;

    if (asked) {
        uint64_t count = strtoull(asked, NULL, 0);
        return count == 0 ? 1 : (unsigned)(count < UINT32_MAX ? count : UINT32_MAX);
    }
    if (bytes < BYTES_FOR_ONE)
        return 1;
    uint64_t worth = bytes / BYTES_OF_A_THREAD;
    unsigned most = parallel_processors();
    return worth < most ? (unsigned)worth : most;
}
