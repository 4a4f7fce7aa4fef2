#include "door/check.h"

#include <stdlib.h>

/*
 * No byte of a file belongs to two sections, nor to a section and a header. Only the views of a
 * mercury file may have contents in common: a section of each, with all of it.
 */
struct extent {
    uint64_t start, end;
    uint32_t section;
    bool is_mercury;
};

static int
by_place(const void *first, const void *second)
{
    const struct extent *a = first, *b = second;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static bool
are_twins(const struct extent *a, const struct extent *b)
{
    return a->start == b->start && a->end == b->end && a->is_mercury != b->is_mercury;
}

/* The headers of a file that was not touched lie before and behind all sections. */
static uint32_t
list_extents(const struct elf_view *view, struct extent *list)
{
    uint64_t table = view->header.e_shoff;
    uint32_t count = 0;

    list[count++] = (struct extent){0, sizeof(Elf64_Ehdr), 0, false};
    for (uint32_t i = 1; i < view->section_count; i++) {
        const Elf64_Shdr *section = &view->sections[i];

        if (!has_no_contents(section->sh_type) && section->sh_size > 0)
            list[count++] =
                (struct extent){section->sh_offset, section->sh_offset + section->sh_size, i,
                                (section->sh_flags & SHF_CUDA_MERCURY) != 0};
    }
    list[count++] =
        (struct extent){table, table + view->section_count * sizeof(Elf64_Shdr), 0, false};
    return count;
}

static bool
is_in_order(const struct extent *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (list[i].start < list[i - 1].end)
            return false;
    return true;
}

void
check_extents(const struct door *door)
{
    const struct elf_view *view = door->view;
    struct extent *list = arena_array(door->arena, view->section_count + 2u, sizeof *list);
    uint32_t count = list_extents(view, list);

    if (is_in_order(list, count)) /* as compilers write them */
        return;
    qsort(list, count, sizeof *list, by_place);
    for (uint32_t i = 1; i < count; i++)
        if (list[i].start < list[i - 1].end && !are_twins(&list[i - 1], &list[i]))
            diag_damaged(door->arena->diag, view->file_name, "the section header table",
                         section_header_at(door, list[i].section),
                         "sections %u and %u lie over each other at 0x%llx", list[i - 1].section,
                         list[i].section, (unsigned long long)list[i].start);
}
