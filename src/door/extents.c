#include "door/check.h"

#include <stdlib.h>

/*
 * No byte of a file belongs to two sections, nor to a section and a header. Only the views of a
 * mercury file may have contents in common: a section of each, with all of it. What belongs to none
 * is room that tools left, and zero.
 */
struct extent {
    uint64_t start, end;
    uint32_t section; /* 0: a header */
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

/* The section of mercury has the name of the other behind its own prefix; constants have names of
   their own. */
static bool
are_named_alike(const struct elf_view *view, uint32_t mercury, uint32_t sass)
{
    static const char prefix[] = ".nv.merc";
    const char *name = elf_section_name(view, mercury);

    if (view->sections[mercury].sh_type == SHT_MERCURY_USER_CONSTANTS)
        return view->sections[sass].sh_type == SHT_CUDA_CONSTANT3;
    if (view->sections[mercury].sh_type == SHT_MERCURY_ADDRESSES)
        return view->sections[sass].sh_type == SHT_CUDA_CONSTANT4;
    return !strncmp(name, prefix, sizeof prefix - 1) &&
           !strcmp(name + sizeof prefix - 1, elf_section_name(view, sass));
}

static bool
are_twins(const struct elf_view *view, const struct extent *a, const struct extent *b)
{
    return a->start == b->start && a->end == b->end && a->is_mercury != b->is_mercury &&
           (a->is_mercury ? are_named_alike(view, a->section, b->section)
                          : are_named_alike(view, b->section, a->section));
}

/* Is it what a section of SASS before it has, too? Both views have such sections in the same order: it is
   looked for from `*next` on. */
static bool
is_shared(const struct elf_view *view, const struct extent *list, uint32_t count, uint32_t *next,
          const struct extent *extent)
{
    while (*next < count && list[*next].start < extent->start)
        ++*next;
    if (*next == count || !are_twins(view, &list[*next], extent))
        return false;
    ++*next;
    return true;
}

/* In the order of the sections. What both views share need be there but once: `all` lists it twice. */
static uint32_t
list_extents(const struct elf_view *view, struct extent *list, bool all)
{
    uint64_t table = view->header.e_shoff;
    uint32_t count = 0, shared = 0;

    list[count++] = (struct extent){0, sizeof(Elf64_Ehdr), 0, false};
    for (uint32_t i = 1; i < view->section_count; i++) {
        const Elf64_Shdr *section = &view->sections[i];
        struct extent *extent = &list[count];

        if (has_no_contents(section->sh_type) || !section->sh_size)
            continue;
        *extent = (struct extent){section->sh_offset, section->sh_offset + section->sh_size, i,
                                  (section->sh_flags & SHF_CUDA_MERCURY) != 0};
        if (all || extent->start >= extent[-1].end ||
            !is_shared(view, list, count, &shared, extent))
            count++;
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

/* By their places; mostly they are written so. */
static uint32_t
sort_extents(const struct elf_view *view, struct extent *list)
{
    uint32_t count = list_extents(view, list, false);

    if (!is_in_order(list, count)) {
        count = list_extents(view, list, true);
        qsort(list, count, sizeof *list, by_place);
    }
    return count;
}

static bool
is_zero(struct bytes file, uint64_t start, uint64_t end)
{
    while (end - start >= sizeof(uint64_t) && !read_u64(file.at + start))
        start += sizeof(uint64_t);
    while (start < end && !file.at[start])
        start++;
    return start == end;
}

/* Mercury for sm_110 has room for more symbols than there are, and something in it. */
static bool
has_room(const struct elf_view *view, const struct extent *extent)
{
    return view->sections[extent->section].sh_type == SHT_MERCURY_SYMTAB;
}

static void
check_pair(const struct door *door, const struct extent *before, const struct extent *extent,
           bool may_have_holes)
{
    const struct elf_view *view = door->view;

    if (are_twins(view, before, extent))
        return;
    if (extent->start < before->end)
        diag_damaged(door->arena->diag, view->file_name, "the section header table",
                     section_header_at(door, extent->section),
                     "sections %u and %u lie over each other at 0x%llx", before->section,
                     extent->section, (unsigned long long)extent->start);
    if (!may_have_holes && !has_room(view, extent) &&
        !is_zero(view->file, before->end, extent->start))
        diag_damaged(door->arena->diag, view->file_name, "the section header table",
                     section_header_at(door, extent->section),
                     "what lies at 0x%llx before section %u belongs to none",
                     (unsigned long long)before->end, extent->section);
}

/* Who edits a file may put what has grown at its end, and leave what it was. */
static bool
is_edited(const struct extent *last)
{
    return last->section != 0;
}

void
check_extents(const struct door *door)
{
    const struct elf_view *view = door->view;
    struct extent *list = arena_alloc(door->arena, (view->section_count + 2u) * sizeof *list);
    uint32_t count = sort_extents(view, list);

    for (uint32_t i = 1; i < count; i++)
        check_pair(door, &list[i - 1], &list[i], is_edited(&list[count - 1]));
    uint64_t end = list[count - 1].end, behind = view->file.size - end;
    if (behind >= sizeof(Elf64_Shdr) && !is_zero(view->file, end, end + sizeof(Elf64_Shdr)))
        diag_damaged(door->arena->diag, view->file_name, "the ELF header",
                     offsetof(Elf64_Ehdr, e_shnum), "0x%llx bytes follow the section headers",
                     (unsigned long long)behind);
}
