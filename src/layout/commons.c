#include "layout/layout.h"

/* Common symbols that no definition replaced are allocated behind .nv.global, the newest first. */
void
layout_commons(struct elfw *elfw)
{
    for (uint32_t i = elfw->commons.count; i-- > 0;) {
        int32_t index = elfw->commons.at[i];
        struct symbol_record *symbol = elfw_get_symbol(elfw, index);

        if (symbol->st_shndx != SHN_COMMON)
            continue;
        uint64_t align = symbol->st_value, size = symbol->st_size;
        uint32_t section = elfw_find_section(elfw, ".nv.global");
        if (!section)
            section = elfw_add_section(elfw, &(struct new_section){.name = ".nv.global",
                                                                   .type = SHT_CUDA_GLOBAL,
                                                                   .flags = SHF_WRITE | SHF_ALLOC,
                                                                   .align = 1});
        uint64_t offset = elfw_append(elfw, section, (struct bytes){0}, size, align);
        elfw_get_symbol(elfw, index)->st_value = offset;
        elfw_set_symbol_section(elfw, index, section);
    }
}
