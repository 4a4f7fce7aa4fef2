#include "door/check.h"

enum { ROW_SIZE = 2 * sizeof(uint32_t) };

/* ---- .nv.callgraph ---- */

static bool
begins_part(struct bytes rows, size_t at)
{
    return !read_u32(rows.at + at);
}

/* Of what compilers write only kernels whose address is taken have none. */
static bool
has_prototype(const struct elf_view *view, uint32_t part, uint32_t function, uint32_t text)
{
    const char *prototype = elf_string(view, text);
    bool may_lack = part == CALLGRAPH_ADDRESS_TAKEN && function < view->symbol_count &&
                    view->symbols[function].st_other & STO_CUDA_ENTRY;

    return !prototype || *prototype || may_lack || view->is_of_linker;
}

/* Who calls something, or takes an address, is defined here, or comes with the driver: sanitizers are weak. What is
   no function is told later. */
static void
check_callers(const struct door *door, uint32_t section, uint32_t part, struct bytes rows)
{
    const struct elf_view *view = door->view;

    bool is_of_functions = part == CALLGRAPH_CALLS || part == CALLGRAPH_TAKES_ADDRESS;
    size_t begin = (size_t)(rows.at - elf_contents(view, section).at);

    for (size_t at = 0; at < rows.size; at += ROW_SIZE) {
        uint32_t caller = read_u32(rows.at + at);
        uint32_t text = read_u32(rows.at + at + sizeof caller);
        if (!is_of_functions && !has_prototype(view, part, caller, text))
            REFUSE_CONTENTS(door, section, begin + at, "a function without a prototype");
        if (part != CALLGRAPH_ADDRESS_TAKEN && caller < view->symbol_count &&
            !elf_symbol_section(view, caller) &&
            ELF64_ST_BIND(view->symbols[caller].st_info) != STB_WEAK)
            REFUSE_CONTENTS(door, section, begin + at, "a call from '%s', which has no code",
                            elf_symbol_name(view, caller));
    }
    if (is_of_functions && has_repeats(door, rows, ROW_SIZE, sizeof(uint64_t)))
        REFUSE_CONTENTS(door, section, begin, "two rows of one call");
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
        if (!has_prototype(view, 0, function, read_u32(rows.at + at + sizeof function)))
            REFUSE_CONTENTS(door, section, at, "a function without a prototype");
        if (function < view->symbol_count &&
            ELF64_ST_BIND(view->symbols[function].st_info) == STB_LOCAL)
            REFUSE_CONTENTS(door, section, at, "a prototype of '%s', which no other file sees",
                            elf_symbol_name(view, function));
    }
    if (has_repeats(door, rows, ROW_SIZE, sizeof(uint32_t)))
        REFUSE_CONTENTS(door, section, 0, "two prototypes of one function");
}
