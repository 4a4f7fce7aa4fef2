#include "layout/layout.h"
#include "layout/list_sort.h"

/*
 * Variables in the memory that the system has in every kernel, behind its beginning: those of
 * stricter alignment first, among them smaller ones, as in a kernel's own memory. Like other shared
 * variables they come with an alignment instead of a value.
 */

struct reserved {
    struct elfw *elfw;
    uint32_t section;
    ARRAY(struct symbol_record *) variables;
};

static void
list_variables(struct reserved *reserved, struct symbol_record *records, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (symbol_type(&records[i]) != STT_SECTION &&
            elfw_symbol_section(reserved->elfw, &records[i]) == reserved->section)
            array_push(&reserved->variables, &reserved->elfw->scratch, &records[i]);
}

static int
stricter_then_smaller_first(const void *context, uint32_t a, uint32_t b)
{
    const struct reserved *reserved = context;
    const struct symbol_record *x = reserved->variables.at[a], *y = reserved->variables.at[b];

    if (x->st_value != y->st_value)
        return x->st_value > y->st_value ? -1 : 1;
    return (x->st_size > y->st_size) - (x->st_size < y->st_size);
}

static uint64_t
place(struct reserved *reserved, uint64_t end)
{
    struct arena *scratch = &reserved->elfw->scratch;
    uint32_t count = reserved->variables.count;
    uint32_t *order = arena_alloc(scratch, count * sizeof *order);

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    list_sort(scratch, order, count, stricter_then_smaller_first, reserved, false);
    for (uint32_t i = 0; i < count; i++) {
        struct symbol_record *symbol = reserved->variables.at[order[i]];
        uint64_t address = align_up(end, symbol->st_value);

        end = address + symbol->st_size;
        if (!elfw_flag(reserved->elfw, MERGE_RELOCATABLE))
            symbol->st_value = address;
    }
    return end;
}

void
layout_reserved(struct elfw *elfw)
{
    struct reserved reserved = {
        .elfw = elfw,
        .section = elfw_find_section(elfw, RESERVED_SHARED),
    };
    struct arena_mark mark = arena_mark(&elfw->scratch);
    bool is_final = elfw->view->layout_reserves_shared && !elfw_flag(elfw, MERGE_RELOCATABLE);

    if (!reserved.section)
        return;
    list_variables(&reserved, elfw->pos_symbols.at, elfw->pos_symbols.count);
    list_variables(&reserved, elfw->neg_symbols.at, elfw->neg_symbols.count);
    elfw_section(elfw, reserved.section)->size =
        place(&reserved, is_final ? elfw->arch->generation->reserved_offset : 0);
    arena_release(&elfw->scratch, mark);
}
