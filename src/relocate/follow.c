#include "relocate/follow.h"

#include "mercury/mercury.h"

static bool
names_bank(const struct reloc_kind *kind)
{
    for (int i = 0; i < RELOC_MAX_FIELDS; i++)
        if (kind->fields[i].source == FIELD_BANK)
            return true;
    return false;
}

/*
 * Texture slots have a bank for themselves in mercury. SASS counts from the beginning of the
 * parameter bank where it names the bank; else from the first slot, and what reads there adds its
 * place: see mercury/images.c.
 */
static uint64_t
slots_before(const struct elfw *elfw, const struct resolution *resolved,
             const struct reloc_kind *kind)
{
    bool is_image = is_image_type(symbol_type(elfw_get_symbol(elfw, resolved->symbol)));
    return is_image && names_bank(kind) ? elfw->sass_slots : 0;
}

static int64_t
own_addend(const struct entry_walk *walk)
{
    return (int64_t)((uint64_t)walk->own.addend + walk->resolved.base);
}

void
make_follower_ready(const struct reloc_place *place, size_t number)
{
    const struct reloc_piece *pair = &place->elfw->reloc_pieces.at[place->piece->pair];
    struct reloc_entry own = read_entry(pair, number * sizeof(Elf64_Rela));

    mercury_code_place(place->elfw, place->object, own.symbol, own.addend);
}

void
keep_follower(struct table_writer *writer, const struct entry_walk *walk)
{
    const struct reloc_entry *own = &walk->own;
    bool is_plain = walk->verdict == RELOC_KEEP_PLAIN;
    int32_t symbol = is_plain ? walk->object->symbols[walk->entry.symbol] : walk->resolved.symbol;
    bool names_code = is_plain ? symbol_type(elfw_get_symbol(walk->elfw, symbol)) == STT_FUNC
                               : walk->resolved.names_code;
    int64_t addend = is_plain ? own->addend : own_addend(walk);

    if (addend && names_code)
        addend = mercury_code_place(walk->elfw, walk->object, own->symbol, addend);
    write_entry(writer, walk_offset(walk, own), written_type(walk->elfw, own->type), symbol,
                addend);
}

void
keep_plain_followers(struct table_writer *writer, const struct reloc_piece *piece)
{
    struct elfw *elfw = writer->elfw;
    const struct object *object = elfw->objects.at[piece->object];
    const struct reloc_piece *pair = &elfw->reloc_pieces.at[piece->pair];
    size_t count = piece->pair ? entry_count(piece) : 0, follower = 0;

    for (size_t i = 0; i < count; i++) {
        struct reloc_entry entry = read_entry(piece, i * sizeof(Elf64_Rela));
        if (!has_follower(object, entry.symbol, entry.type))
            continue;
        struct reloc_entry own = read_entry(pair, follower++ * sizeof(Elf64_Rela));
        int32_t symbol = object->symbols[entry.symbol];

        if (own.addend && symbol_type(elfw_get_symbol(elfw, symbol)) == STT_FUNC)
            own.addend = mercury_code_place(elfw, object, own.symbol, own.addend);
        write_entry(writer, piece->base + own.offset, written_type(elfw, own.type), symbol,
                    own.addend);
    }
}

void
patch_follower(const struct patched_range *range, const struct entry_walk *walk, uint8_t *bytes)
{
    const struct reloc_kind *kind = reloc_kind(walk->own.type);
    uint64_t offset = walk_offset(walk, &walk->own) - range->from, room = range->to - range->from;
    struct reloc_value value = walk->resolved.value; /* of RELOC_ZERO: none */

    if (offset >= room)
        return;
    if (walk->verdict == RELOC_SPLIT)
        value.symbol += walk->elfw->arch->generation->reserved_offset;
    if (walk->verdict != RELOC_ZERO) {
        value.symbol += slots_before(walk->elfw, &walk->resolved, kind);
        value.addend = (uint64_t)own_addend(walk);
        fields_write(kind, &value, false, bytes + offset, room - offset);
    } else {
        fields_clear(kind, bytes + offset, room - offset);
    }
}
