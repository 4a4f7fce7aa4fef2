#include "relocate/relocate.h"

#include "mercury/yields.h"
#include "relocate/entry_walk.h"
#include "relocate/follow.h"
#include "relocate/scan.h"

/* An entry without addend that is written with one: it is what the bits said, all of them where the entry
   stays, and without those of a bank where it was applied. */
static int64_t
found_addend(const struct reloc_place *place, const struct reloc_entry *entry,
             const struct resolution *resolved)
{
    struct bytes input = elf_contents(&place->object->elf, place->piece->input_target);

    if (entry->is_rela || resolved->ignore_old)
        return resolved->addend;
    int fields = resolved->verdict == RELOC_KEEP ? RELOC_MAX_FIELDS : 1;
    return (int64_t)fields_read(reloc_kind(entry->type), fields, input.at + entry->offset,
                                input.size - entry->offset);
}

static void
keep_entry(struct table_writer *writer, const struct entry_walk *walk)
{
    const struct reloc_entry *entry = &walk->entry;
    const struct resolution *resolved = &walk->resolved;
    uint64_t offset = walk_offset(walk, entry);
    bool has_addend = writer->table->type != SHT_REL;

    if (walk->verdict == RELOC_KEEP_PLAIN)
        write_entry(writer, offset, written_type(walk->elfw, entry->type),
                    walk->object->symbols[entry->symbol], entry->addend);
    else
        write_entry(writer, offset, resolved->type, resolved->symbol,
                    has_addend ? found_addend(&walk->place, entry, resolved) : 0);
}

static void
write_section_place(const struct entry_walk *walk, uint8_t *at, uint64_t room)
{
    const struct reloc_entry *entry = &walk->entry;
    uint32_t input = elf_symbol_section(&walk->object->elf, entry->symbol);
    const struct section *section = &walk->elfw->sections.at[walk->object->sections[input]];
    struct reloc_value value = section_value(walk->object, section, entry);
    bool use_old = !entry->is_rela && !walk->object->bases[input];

    fields_write(reloc_kind(entry->type), &value, use_old, at, room);
}

/* `bytes` are those of the range of the patched section. */
static void
patch_entry(const struct patched_range *range, const struct entry_walk *walk, uint8_t *bytes)
{
    const struct reloc_entry *entry = &walk->entry;
    const struct resolution *resolved = &walk->resolved;
    uint64_t offset = walk_offset(walk, entry) - range->from, room = range->to - range->from;

    if (offset >= room)
        return;
    if (walk->verdict == RELOC_APPLY_PLAIN)
        write_section_place(walk, bytes + offset, room - offset);
    else if (walk->verdict == RELOC_APPLY)
        fields_write(reloc_kind(entry->type), &resolved->value,
                     !entry->is_rela && !resolved->ignore_old, bytes + offset, room - offset);
    else if (walk->verdict == RELOC_ZERO)
        fields_clear(reloc_kind(entry->type), bytes + offset, room - offset);
}

static void
write_image_slots(struct table_writer *writer)
{
    enum { OF_SASS_LINK, OF_SASS_VIEW, OF_MERCURY };
    static const uint32_t types[][STT_CUDA_SURFACE + 1] = {
        [OF_SASS_LINK] = {[STT_CUDA_TEXTURE] = R_CUDA_TEX_HEADER_INDEX,
                          [STT_CUDA_SAMPLER] = R_CUDA_SAMP_HEADER_INDEX,
                          [STT_CUDA_SURFACE] = R_CUDA_SURF_HEADER_INDEX},
        [OF_SASS_VIEW] = {[STT_CUDA_TEXTURE] = R_CUDA_TEX_HEADER_INDEX,
                          [STT_CUDA_SAMPLER] = R_CUDA_SAMP_HEADER_INDEX_0,
                          [STT_CUDA_SURFACE] = R_CUDA_SURF_HEADER_INDEX},
        [OF_MERCURY] = {[STT_CUDA_TEXTURE] = R_MERCURY_TEX_HEADER_INDEX,
                        [STT_CUDA_SAMPLER] = R_MERCURY_SAMP_HEADER_INDEX,
                        [STT_CUDA_SURFACE] = R_MERCURY_SURF_HEADER_INDEX},
    };
    struct elfw *elfw = writer->elfw;
    unsigned view = writer->table->is_mercury ? OF_MERCURY
                    : writer->table->twin     ? OF_SASS_VIEW
                                              : OF_SASS_LINK;
    uint64_t base = view == OF_SASS_VIEW ? elfw->sass_slots : 0;

    for (uint32_t i = 0; i < elfw->image_slots.count; i++) {
        const struct symbol_record *symbol = elfw_get_symbol(elfw, elfw->image_slots.at[i]);
        if (!fills_slot(elfw, writer->table, i))
            continue;
        write_entry(writer, base + elfw->placed.at[symbol->data_ordinal].address,
                    types[view][symbol_type(symbol)], symbol->sym_index, 0);
    }
}

static void
keep_plain_entries(struct table_writer *writer, const struct reloc_piece *piece)
{
    const struct elfw *elfw = writer->elfw;
    const struct object *object = elfw->objects.at[piece->object];

    for (size_t i = 0, count = entry_count(piece); i < count; i++) {
        struct reloc_entry entry = read_entry(piece, i * sizeof(Elf64_Rela));

        write_entry(writer, piece->base + entry.offset, written_type(elfw, entry.type),
                    object->symbols[entry.symbol], entry.addend);
    }
}

/* Any piece, entry by entry. */
static void
keep_entries(struct table_writer *writer, uint32_t index, uint32_t piece)
{
    struct elfw *elfw = writer->elfw;
    const struct section *table = writer->table;
    bool is_list = lists_resolved(table->type);
    unsigned kept = table->follows_twin ? ALL_KEPT & ~(1u << RELOC_SPLIT) : ALL_KEPT;
    struct entry_walk walk;

    open_walk(&walk, elfw, index, is_list ? ALL_APPLIED : kept);
    walk.next_piece = piece;
    walk.end = elfw->reloc_pieces.at[piece].next;
    while (next_entry(&walk)) {
        if (table->follows_twin)
            keep_follower(writer, &walk);
        else if (!is_list || is_listed(elfw, table, &walk.resolved))
            keep_entry(writer, &walk);
    }
}

/* In the order of the code, behind all others: tables are written from the end. */
static void
write_yields(struct table_writer *writer)
{
    uint32_t target = writer->table->target;

    for (uint64_t at = UINT64_MAX; (at = yield_before(writer->elfw, target, at)) != UINT64_MAX;) {
        write_entry(writer, at, R_CUDA_YIELD_CLEAR_PRED4_87, 0, 0);
        write_entry(writer, at, R_CUDA_YIELD_OPCODE9_0, 0, YIELD_IS_NOP);
    }
}

void
relocate_write_table(struct elfw *elfw, uint32_t index, uint8_t *bytes)
{
    const struct section *table = elfw_section(elfw, index);
    const struct section *decides = deciding_table(elfw, table);
    struct table_writer writer = {elfw, table, bytes + table->size};
    bool has_plain = !lists_resolved(table->type) && !elfw->packed_bank;

    if (!takes_part(elfw, decides))
        return;
    if (table->follows_twin)
        write_yields(&writer);
    for (uint32_t p = decides->first_piece; p; p = elfw->reloc_pieces.at[p].next) {
        const struct reloc_piece *piece = &elfw->reloc_pieces.at[p];

        if (!piece->is_plain || !has_plain)
            keep_entries(&writer, index, p);
        else if (table->follows_twin)
            keep_plain_followers(&writer, piece);
        else
            keep_plain_entries(&writer, piece);
    }
    if (table->has_image_slots)
        write_image_slots(&writer);
}

/* Capsules are made before they are written; bytes that both views have are patched in SASS. */
static bool
is_patched_there(const struct elfw *elfw, uint32_t index)
{
    const struct section *target = elfw_section(elfw, index);
    return target->type != SHT_CUDA_CAPSULE && !target->shares_bytes;
}

bool
relocate_has_patches(const struct elfw *elfw, uint32_t index)
{
    const struct section *table = &elfw->sections.at[index];

    if (!holds_entries(table->type))
        return false;
    const struct section *decides = deciding_table(elfw, table);
    return takes_part(elfw, decides) && decides->has_patches && !lists_resolved(table->type) &&
           is_patched_there(elfw, table->target);
}

uint32_t
relocate_first_piece(const struct elfw *elfw, uint32_t table)
{
    return deciding_table(elfw, elfw_section(elfw, table))->first_piece;
}

void
relocate_patch(struct elfw *elfw, uint32_t index, struct patched_range range, uint8_t *bytes)
{
    struct entry_walk walk;

    open_walk(&walk, elfw, index, ALL_PATCHES);
    walk.next_piece = range.first_piece;
    walk.end = range.end_piece;
    while (next_entry(&walk)) {
        if (walk.table->follows_twin)
            patch_follower(&range, &walk, bytes);
        else
            patch_entry(&range, &walk, bytes);
    }
}
