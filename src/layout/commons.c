#include "layout/layout.h"

/* Common symbols that no definition replaced are allocated behind .nv.global, the newest first. */
void
layout_commons(struct elfw *elfw)
{
    for (uint32_t i = elfw->neg_symbols.count; i-- > 1;) {
        struct symbol_record *symbol = &elfw->neg_symbols.at[i];

        if (symbol->st_shndx != SHN_COMMON)
            continue;
        uint32_t section = elfw_find_section(elfw, ".nv.global");
        if (!section)
            section = elfw_add_section(elfw, &(struct new_section){.name = ".nv.global",
                                                                   .type = SHT_CUDA_GLOBAL,
                                                                   .flags = SHF_WRITE | SHF_ALLOC,
                                                                   .align = 1});
        symbol = &elfw->neg_symbols.at[i];
        symbol->st_value = elfw_append(elfw, section, (struct bytes){0}, symbol->st_size,
                                       symbol->st_value);
        elfw_set_symbol_section(elfw, symbol->sym_index, section);
    }
}
