#include "layout/list_sort.h"

#include <string.h>

struct sorter {
    list_compare compare;
    const void *context;
    bool odd_wins_ties;
};

/* The depth is logarithmic: every level halves the list. */
static void
sort(const struct sorter *sorter, uint32_t *list, uint32_t *spare, uint32_t count)
{
    if (count < 2)
        return;
    uint32_t evens = (count + 1) / 2;
    uint32_t *even = spare, *odd = spare + evens;

    for (uint32_t i = 0; i < count; i++) {
        uint32_t half = i / 2;
        if (i % 2 == 0)
            even[evens - 1 - half] = list[i];
        else
            odd[count - evens - 1 - half] = list[i];
    }
    sort(sorter, even, list, evens);
    sort(sorter, odd, list, count - evens);

    uint32_t e = 0, o = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool take_odd = e == evens;
        if (!take_odd && o < count - evens) {
            int order = sorter->compare(sorter->context, odd[o], even[e]);
            take_odd = order < 0 || (order == 0 && sorter->odd_wins_ties);
        }
        list[i] = take_odd ? odd[o++] : even[e++];
    }
}

void
list_sort(struct arena *arena, uint32_t *list, uint32_t count, list_compare compare,
          const void *context, bool odd_wins_ties)
{
    struct sorter sorter = {compare, context, odd_wins_ties};
    uint32_t *spare = arena_array(arena, count + 1, sizeof *spare);

    sort(&sorter, list, spare, count);
}
