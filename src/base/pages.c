#define _GNU_SOURCE /* mremap, MADV_HUGEPAGE */

#include "base/pages.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* Of x86-64 and of most others; where it is larger, the pages are small ones. */
#define HUGE_PAGE ((size_t)2 << 20)
#define SMALL_PAGE ((size_t)4096)

static bool
is_small(size_t size)
{
    return size < HUGE_PAGE;
}

static size_t
whole_pages(size_t size)
{
    size_t page = is_small(size) ? SMALL_PAGE : HUGE_PAGE;
    return (size + page - 1) / page * page;
}

/* So many bytes of a block are worth huge pages: no end that would leave a part of one empty, for
   memory that is touched may cost more than all that is done with it. */
static size_t
huge_part(size_t size)
{
    return size / HUGE_PAGE * HUGE_PAGE;
}

static void
ask_for_huge_pages(char *at, size_t size)
{
#ifdef MADV_HUGEPAGE
    if (huge_part(size))
        madvise(at, huge_part(size), MADV_HUGEPAGE);
#else
    (void)at, (void)size;
#endif
}

static char *
map_memory(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

/* Only aligned memory can be in huge pages: takes more and returns what lies around it. */
void *
pages_take(size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t wanted = whole_pages(size);
    char *memory = map_memory(is_small(size) ? wanted : wanted + HUGE_PAGE);

    if (!memory || is_small(size))
        return memory;
    size_t before = (size_t)(-(uintptr_t)memory % HUGE_PAGE);
    if (before)
        munmap(memory, before);
    munmap(memory + before + wanted, HUGE_PAGE - before);
    ask_for_huge_pages(memory + before, size);
    return memory + before;
}

static void
copy_part(char *from, size_t size, char *to)
{
    memcpy(to, from, size);
    munmap(from, size);
}

static void
move_part(char *from, size_t size, char *to)
{
    if (!size)
        return;
#ifdef MREMAP_FIXED
    if (mremap(from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) != MAP_FAILED)
        return;
#endif
    copy_part(from, size, to);
}

/* Each kind of pages is moved by itself. Small ones would take the place of the first huge one: that is
   better had by a copy. */
void *
pages_enlarge(void *at, size_t size, size_t new_size)
{
    char *larger = pages_take(new_size);
    size_t huge = huge_part(size);

    if (!larger)
        return NULL;
    if (is_small(size) && !is_small(new_size)) {
        copy_part(at, whole_pages(size), larger);
        return larger;
    }
    move_part(at, huge, larger);
    move_part((char *)at + huge, whole_pages(size) - huge, larger + huge);
    ask_for_huge_pages(larger, new_size);
    return larger;
}

void
pages_expect(const void *at, size_t size)
{
#ifdef MADV_POPULATE_READ
    uintptr_t before = (uintptr_t)at % SMALL_PAGE;
    madvise((void *)((uintptr_t)at - before), before + size, MADV_POPULATE_READ);
#else
    (void)at, (void)size;
#endif
}

void
pages_fill(void *at, size_t size)
{
#ifdef MADV_POPULATE_WRITE
    uintptr_t from = ((uintptr_t)at + SMALL_PAGE - 1) / SMALL_PAGE * SMALL_PAGE;
    uintptr_t to = ((uintptr_t)at + size) / SMALL_PAGE * SMALL_PAGE;

    if (to > from)
        madvise((void *)from, to - from, MADV_POPULATE_WRITE);
#else
    (void)at, (void)size;
#endif
}

void
pages_give_back(void *at, size_t size)
{
    munmap(at, whole_pages(size));
}
