#include "door/line_sequences.h"

#include <stdlib.h>

/*
 * Functions inside of kernels, which whole programs have: line tables begin anew with each of them.
 */
static int
compare_inner(const void *a, const void *b)
{
    const struct inner_function *x = a, *y = b;

    if (x->text != y->text)
        return x->text < y->text ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

void
find_inner_functions(struct lines *mercury)
{
    const struct elf_view *view = mercury->door->view;

    if (!elf_may_have_slots(view))
        return;
    for (uint32_t i = 1; i < view->symbol_count; i++) {
        uint32_t text = elf_symbol_section(view, i);

        if (ELF64_ST_TYPE(view->symbols[i].st_info) == STT_FUNC && view->symbols[i].st_value &&
            text && text < view->section_count)
            array_push(&mercury->inner, mercury->door->arena,
                       ((struct inner_function){text, view->symbols[i].st_value}));
    }
    if (mercury->inner.count > 1)
        qsort(mercury->inner.at, mercury->inner.count, sizeof *mercury->inner.at, compare_inner);
}

struct inner_functions
inner_functions_of(const struct lines *mercury, uint32_t text)
{
    const struct inner_function *at = mercury->inner.at;
    uint32_t low = 0, high = mercury->inner.count, end;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (at[middle].text < text)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < mercury->inner.count && at[end].text == text; end++)
        continue;
    return (struct inner_functions){at ? at + low : NULL, end - low};
}
