#include "finalize/finalize.h"

/* A record of .nv.uft.entry and .nv.udt.entry begins with the number of its symbol, then come flags and the
   place of the symbol. */
enum { ENTRY_FLAGS = 4, ENTRY_WAS_LINKED = 6, ENTRY_PLACE = 8 };

static void
renumber(struct elfw *elfw, const struct piece *piece, uint8_t *records)
{
    const struct object *object = elfw->objects.at[piece->object];

    for (uint64_t at = 0; at + UNIFIED_ENTRY <= piece->size; at += UNIFIED_ENTRY) {
        uint32_t input = read_u32(records + at);
        int32_t symbol = input < object->elf.symbol_count ? object->symbols[input] : 0;
        write_u32(records + at, elfw_remap_symbol(elfw, symbol));
        write_u32(records + at + ENTRY_FLAGS,
                  read_u32(records + at + ENTRY_FLAGS) | ENTRY_WAS_LINKED);
        write_u64(records + at + ENTRY_PLACE, elfw_get_symbol(elfw, symbol)->st_value);
    }
}

void
make_unified_entries(struct elfw *elfw)
{
    if (!elfw_may_have(elfw, SHT_CUDA_UFT_ENTRY) && !elfw_may_have(elfw, SHT_CUDA_UDT_ENTRY))
        return;
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        struct section *section = elfw_section(elfw, i);

        if (section->type != SHT_CUDA_UFT_ENTRY && section->type != SHT_CUDA_UDT_ENTRY)
            continue;
        uint8_t *contents = arena_zero(elfw->arena, section->size);
        for (uint32_t p = section->first_piece; p; p = elfw->pieces.at[p].next) {
            const struct piece *piece = &elfw->pieces.at[p];
            memcpy(contents + piece->base, piece->bytes, piece->size);
            if (piece->object)
                renumber(elfw, piece, contents + piece->base);
        }
        section->contents = contents;
    }
}
