#include "layout/layout.h"

/*
 * Where not all kernels are used, as options or host code say, nvlink joins equal inputs of the
 * user's constant bank, but leaves the symbols where they were, so that code reads wrong constants.
 * culd keeps every input. What shows where no two are equal is st_value of symbol 0: the place of
 * the last input of a size that takes part.
 */

static bool
takes_part(const struct piece *piece)
{
    static const uint8_t sizes[] = {12, 16, 20, 24, 32, 48, 64};

    if (piece->size == 4 || piece->size == 8)
        return piece->align == piece->size;
    for (size_t i = 0; i < sizeof sizes; i++)
        if (piece->size == sizes[i])
            return true;
    return false;
}

static bool
is_zero_word(const struct piece *piece)
{
    for (uint64_t i = 0; i < piece->size; i++)
        if (piece->bytes[i])
            return false;
    return piece->size <= 8;
}

enum { LONGEST_KEY = 64 + sizeof(uint64_t) };

/* True the first time these bytes come with this alignment. */
static bool
is_new(struct name_map *seen, const struct piece *piece)
{
    char key[LONGEST_KEY];
    size_t length = piece->size + sizeof piece->align;
    uint32_t before = seen->names.count;

    memcpy(key, piece->bytes, piece->size);
    memcpy(key + piece->size, &piece->align, sizeof piece->align);
    name_map_add_hashed(seen, arena_text(seen->arena, key, length), length, name_hash(key, length));
    return seen->names.count > before;
}

void
note_unique_constants(struct elfw *elfw)
{
    uint32_t bank = elfw_user_bank(elfw);
    uint32_t first = bank ? elfw_section(elfw, bank)->first_piece : 0;
    struct name_map seen;

    name_map_init(&seen, elfw->arena, 16);
    for (uint32_t p = first; p; p = elfw->pieces.at[p].next) {
        const struct piece *piece = &elfw->pieces.at[p];

        if (takes_part(piece) && (is_zero_word(piece) || is_new(&seen, piece)))
            elfw->null_symbol_value = piece->base;
    }
}
