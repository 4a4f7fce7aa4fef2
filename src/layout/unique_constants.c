#include "layout/layout.h"

/*
 * Where not all kernels are used, as options or host code say, nvlink joins equal inputs of the
 * user's constant bank, but leaves the symbols where they were, so that code reads wrong constants.
 * culd keeps every input, except at the end of the bank where no symbol is left, as after a weak
 * constant that all inputs define. What shows where no two are equal is st_value of symbol 0: the
 * place of the last input of a size that takes part.
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

enum { LONGEST_KEY = 64 + sizeof(uint32_t) };

/* True the first time these bytes come with this alignment. */
static bool
is_new(struct name_map *seen, const struct piece *piece)
{
    char key[LONGEST_KEY];
    uint32_t align = piece->align;
    size_t length = piece->size + sizeof align;
    uint32_t before = seen->names.count;

    memcpy(key, piece->bytes, piece->size);
    memcpy(key + piece->size, &align, sizeof align);
    name_map_add_hashed(seen, arena_text(seen->arena, key, length), length, name_hash(key, length));
    return seen->names.count > before;
}

static uint64_t
end_of_symbols(const struct elfw *elfw, uint32_t bank, const struct symbol_record *symbols,
               uint32_t count)
{
    uint64_t end = 0;

    for (uint32_t i = 1; i < count; i++)
        if (symbol_type(&symbols[i]) != STT_SECTION &&
            elfw_symbol_section(elfw, &symbols[i]) == bank)
            end = max_u64(end, symbols[i].st_value + symbols[i].st_size);
    return end;
}

static bool
is_relocated(const struct elfw *elfw)
{
    const char *bank = elfw->view->user_bank;

    return elfw_find_section(elfw, arena_join(elfw->arena, ".rela", bank)) ||
           elfw_find_section(elfw, arena_join(elfw->arena, ".rel", bank));
}

/* Cuts the bank off behind a piece, if no symbol stands and nothing is relocated there. */
static void
drop_repetitions(struct elfw *elfw, uint32_t bank, uint32_t last)
{
    struct section *section = elfw_section(elfw, bank);
    uint64_t end = elfw->pieces.at[last].base + elfw->pieces.at[last].size;

    if (last == section->last_piece || is_relocated(elfw) ||
        end_of_symbols(elfw, bank, elfw->pos_symbols.at, elfw->pos_symbols.count) > end ||
        end_of_symbols(elfw, bank, elfw->neg_symbols.at, elfw->neg_symbols.count) > end)
        return;
    elfw->pieces.at[last].next = 0;
    section->last_piece = last;
    section->size = end;
}

void
note_unique_constants(struct elfw *elfw)
{
    uint32_t bank = elfw_user_bank(elfw);
    uint32_t first = bank ? elfw_section(elfw, bank)->first_piece : 0, last = first;
    struct name_map seen;

    name_map_init(&seen, elfw->arena, 16);
    for (uint32_t p = first; p; p = elfw->pieces.at[p].next) {
        const struct piece *piece = &elfw->pieces.at[p];
        bool is_unique = !takes_part(piece) || is_zero_word(piece) || is_new(&seen, piece);

        if (is_unique && takes_part(piece))
            elfw->null_symbol_value = piece->base;
        if (is_unique)
            last = p;
    }
    if (last)
        drop_repetitions(elfw, bank, last);
}
