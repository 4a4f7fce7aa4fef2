#include "base/parallel.h"
#include "link.h"

#include <stdlib.h>

/* Who names a number gets it; else a further thread must have enough to do to be worth its start. */
unsigned
link_threads(const culd_link *link, uint64_t bytes)
{
    enum { BYTES_OF_A_THREAD = 2 << 20 };
    const char *asked = link->options.threads;

    if (asked) {
        uint64_t count = strtoull(asked, NULL, 0);
        return count == 0 ? 1 : (unsigned)(count < UINT32_MAX ? count : UINT32_MAX);
    }
    uint64_t worth = bytes / BYTES_OF_A_THREAD;
    if (worth <= 1)
        return 1;
    unsigned most = parallel_processors();
    return worth < most ? (unsigned)worth : most;
}
