#include "door/check.h"

/*
 * Constants of a function (.nv.constant2.F) are objects, which a link takes over one by one: what stands
 * between them is left behind. Compilers leave room there for alignment, and it is zero; a relocatable link
 * leaves constants of definitions that lost there. Those of the user (.nv.constant3) have a place for each.
 */

/* Where objects begin and end in a section: how many more there are from each byte on. */
struct cover {
    uint32_t objects;
    int32_t *changes;
};

bool
has_constants_of_code(const Elf64_Shdr *section)
{
    return section->sh_type == SHT_CUDA_CONSTANT2 || section->sh_type == SHT_CUDA_CONSTANT3;
}

static struct cover *
measure_covers(const struct door *door)
{
    const struct elf_view *view = door->view;
    struct cover *covers = arena_array(door->arena, view->section_count, sizeof *covers);

    for (uint32_t i = 1; i < view->symbol_count; i++) {
        const Elf64_Sym *symbol = &view->symbols[i];
        uint32_t section = elf_symbol_section(view, i);

        if (section >= view->section_count || ELF64_ST_TYPE(symbol->st_info) != STT_CUDA_OBJECT ||
            !has_constants_of_code(&view->sections[section]))
            continue;
        struct cover *cover = &covers[section];
        uint64_t size = view->sections[section].sh_size, begin = symbol->st_value;

        if (begin > size || symbol->st_size > size - begin)
            continue;
        if (!cover->changes)
            cover->changes = arena_array(door->arena, size + 1, sizeof *cover->changes);
        cover->changes[begin]++;
        cover->changes[begin + symbol->st_size]--;
        cover->objects++;
    }
    return covers;
}

static void
check_gaps(const struct door *door, uint32_t section, const int32_t *changes)
{
    struct bytes contents = elf_contents(door->view, section);
    int32_t depth = 0;

    for (size_t i = 0; i < contents.size; i++) {
        depth += changes[i];
        if (depth == 0 && contents.at[i])
            REFUSE_CONTENTS(door, section, i, "a value between the constants");
    }
}

static void
check_overlaps(const struct door *door, uint32_t section, const int32_t *changes)
{
    uint64_t size = door->view->sections[section].sh_size;
    int32_t depth = 0;

    for (size_t i = 0; i < size; i++) {
        depth += changes[i];
        if (depth > 1)
            REFUSE_CONTENTS(door, section, i, "two constants at one place");
    }
}

void
check_constants(const struct door *door)
{
    if (door->view->is_of_linker)
        return;
    struct arena_mark mark = arena_mark(door->arena);
    const struct cover *covers = measure_covers(door);

    for (uint32_t i = 1; i < door->view->section_count; i++) {
        bool is_of_user = door->view->sections[i].sh_type == SHT_CUDA_CONSTANT3;

        if (covers[i].objects > 1)
            (is_of_user ? check_overlaps : check_gaps)(door, i, covers[i].changes);
    }
    arena_release(door->arena, mark);
}
