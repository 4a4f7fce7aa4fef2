#define _GNU_SOURCE /* mremap, MADV_HUGEPAGE */

#include "base/pages.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* Of x86-64 and of most others; where it is larger, the pages are small ones. */
#define HUGE_PAGE ((size_t)2 << 20)

static size_t
whole_pages(size_t size)
{
    return (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* Only aligned memory can be in huge pages: takes more and returns what lies around it. */
void *
pages_take(size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t wanted = whole_pages(size), taken = wanted + HUGE_PAGE;
    char *memory = mmap(NULL, taken, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return NULL;
    size_t before = (size_t)(-(uintptr_t)memory % HUGE_PAGE);
    if (before)
        munmap(memory, before);
    munmap(memory + before + wanted, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    madvise(memory + before, wanted, MADV_HUGEPAGE);
#endif
    return memory + before;
}

void *
pages_enlarge(void *at, size_t size, size_t new_size)
{
    void *larger = pages_take(new_size);

    if (!larger)
        return NULL;
#ifdef MREMAP_FIXED
    size_t old = whole_pages(size);
    if (mremap(at, old, old, MREMAP_MAYMOVE | MREMAP_FIXED, larger) != MAP_FAILED)
        return larger;
#endif
    memcpy(larger, at, size);
    pages_give_back(at, size);
    return larger;
}

void
pages_give_back(void *at, size_t size)
{
    munmap(at, whole_pages(size));
}
