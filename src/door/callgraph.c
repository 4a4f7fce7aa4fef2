#include "door/check.h"

enum { ROW_SIZE = 2 * sizeof(uint32_t) };

/* ---- .nv.callgraph ---- */

static bool
begins_part(struct bytes rows, size_t at)
{
    return !read_u32(rows.at + at);
}

/* Who calls something, or takes an address, is defined here. What is no function is told later. */
static void
check_callers(const struct door *door, uint32_t section, uint32_t part, struct bytes rows)
{
    const struct elf_view *view = door->view;

    for (size_t at = 0; at < rows.size; at += ROW_SIZE) {
        uint32_t caller = read_u32(rows.at + at);
        if (part != CALLGRAPH_ADDRESS_TAKEN && caller < view->symbol_count &&
            !elf_symbol_section(view, caller))
            REFUSE_CONTENTS(door, section, (size_t)(rows.at - elf_contents(view, section).at) + at,
                            "a call from '%s', which has no code", elf_symbol_name(view, caller));
    }
    bool is_of_functions = part == CALLGRAPH_CALLS || part == CALLGRAPH_TAKES_ADDRESS;
    if (is_of_functions && has_repeats(door, rows, ROW_SIZE, sizeof(uint64_t)))
        REFUSE_CONTENTS(door, section, (size_t)(rows.at - elf_contents(view, section).at),
                        "two rows of one call");
}

/* Its parts stand one behind the other, each with its mark; the last was not there before CUDA 12. */
void
check_callgraph(const struct door *door, uint32_t section)
{
    struct bytes rows = elf_contents(door->view, section);
    uint32_t part = CALLGRAPH_CALLS;
    size_t at = 0;

    for (; at < rows.size; part--) {
        if (!begins_part(rows, at) || read_u32(rows.at + at + sizeof part) != part)
            REFUSE_CONTENTS(door, section, at, "part 0x%x does not begin here", part);
        size_t begin = at += ROW_SIZE;
        while (at < rows.size && !begins_part(rows, at))
            at += ROW_SIZE;
        check_callers(door, section, part, (struct bytes){rows.at + begin, at - begin});
    }
    if (part > CALLGRAPH_TAKES_ADDRESS || part < CALLGRAPH_TAKES_ADDRESS - 1)
        REFUSE_CONTENTS(door, section, at, "part 0x%x does not begin here", part);
}

/* ---- .nv.prototype ---- */

/* Those of functions that other files see, one for each. */
void
check_prototypes(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct bytes rows = elf_contents(view, section);

    for (size_t at = 0; at < rows.size; at += ROW_SIZE) {
        uint32_t function = read_u32(rows.at + at);
        if (function < view->symbol_count &&
            ELF64_ST_BIND(view->symbols[function].st_info) == STB_LOCAL)
            REFUSE_CONTENTS(door, section, at, "a prototype of '%s', which no other file sees",
                            elf_symbol_name(view, function));
    }
    if (has_repeats(door, rows, ROW_SIZE, sizeof(uint32_t)))
        REFUSE_CONTENTS(door, section, 0, "two prototypes of one function");
}
