#include "layout/layout.h"

/*
 * Variables in the memory that the system has in every kernel: one after the other behind its
 * beginning, as they were created. Like other shared variables they come with an alignment instead
 * of a value.
 */

static uint64_t
place(struct elfw *elfw, uint32_t section, struct symbol_record *records, uint32_t count,
      uint64_t end)
{
    for (uint32_t i = 1; i < count; i++) {
        struct symbol_record *symbol = &records[i];

        if (symbol_type(symbol) == STT_SECTION || elfw_symbol_section(elfw, symbol) != section)
            continue;
        uint64_t address = align_up(end, symbol->st_value);
        if (!elfw_flag(elfw, MERGE_RELOCATABLE))
            symbol->st_value = address;
        end = address + symbol->st_size;
    }
    return end;
}

void
layout_reserved(struct elfw *elfw)
{
    uint32_t section = elfw_find_section(elfw, RESERVED_SHARED);
    bool is_final = elfw->view->layout_reserves_shared && !elfw_flag(elfw, MERGE_RELOCATABLE);
    uint64_t end = is_final ? elfw->arch->generation->reserved_offset : 0;

    if (!section)
        return;
    end = place(elfw, section, elfw->pos_symbols.at, elfw->pos_symbols.count, end);
    end = place(elfw, section, elfw->neg_symbols.at, elfw->neg_symbols.count, end);
    elfw_section(elfw, section)->size = end;
}
