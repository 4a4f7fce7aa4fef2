#include "finalize/externals.h"

#include <stdlib.h>
#include <string.h>

void
externals_clear(struct external_union *all)
{
    all->first = all->last = (struct externals){0};
    all->list.count = all->ordered = 0;
}

static int
compare(const void *a, const void *b)
{
    const struct external *x = a, *y = b;

    if (x->symbol != y->symbol)
        return x->symbol < y->symbol ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* By symbol, the first mention of each. */
static void
order(struct external_union *all)
{
    struct external *list = all->list.at;
    uint32_t left = 0;

    if (all->ordered == all->list.count)
        return;
    qsort(list, all->list.count, sizeof *list, compare);
    for (uint32_t i = 0; i < all->list.count; i++)
        if (!left || list[left - 1].symbol != list[i].symbol)
            list[left++] = list[i];
    all->list.count = all->ordered = left;
}

/* Repetitions go when there may be as many as others. */
void
externals_add(struct external_union *all, struct external external)
{
    enum { WORTH_ORDER = 64 };

    if (all->list.count > 2 * all->ordered + WORTH_ORDER)
        order(all);
    array_push(&all->list, all->arena, external);
}

void
externals_add_all(struct external_union *all, struct externals more)
{
    if (!more.count || more.at == all->first.at || more.at == all->last.at)
        return;
    if (!all->first.count) {
        all->first = more;
        return;
    }
    all->last = more;
    for (uint32_t i = 0; i < more.count; i++)
        externals_add(all, more.at[i]);
}

struct externals
externals_of(struct external_union *all, struct arena *arena)
{
    if (!all->list.count)
        return all->first;
    for (uint32_t i = 0; i < all->first.count; i++)
        externals_add(all, all->first.at[i]);
    order(all);
    size_t size = all->list.count * sizeof *all->list.at;
    return (struct externals){memcpy(arena_alloc(arena, size), all->list.at, size),
                              all->list.count};
}
