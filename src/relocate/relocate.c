#include "relocate/relocate.h"

#include "relocate/entry_walk.h"
#include "relocate/follow.h"

static bool
takes_part(const struct elfw *elfw, const struct section *table)
{
    return holds_entries(table->type) && table->state == SECTION_LIVE &&
           elfw_section(elfw, table->target)->state == SECTION_LIVE;
}

/*
 * --preserve-relocs lists what was applied, as far as the symbol is still there. An open array has
 * no one address to list.
 */
static bool
is_listed(const struct elfw *elfw, const struct section *table, const struct resolution *resolved)
{
    const struct symbol_record *symbol = elfw_get_symbol(elfw, resolved->symbol);

    if (resolved->verdict != RELOC_APPLY || resolved->is_unlisted ||
        is_image_type(symbol_type(symbol)))
        return false;
    if (elfw->view->is_mercury && (memory_space(symbol->st_other) != STO_CUDA_SHARED ||
                                   !elfw_section(elfw, table->target)->owner))
        return false; /* there code's use of shared memory is all that is listed */
    return !resolved->symbol || symbol_type(symbol) == STT_SECTION ||
           elfw_object_is_written(elfw, symbol);
}

static bool
belongs_to_table(const struct elfw *elfw, const struct section *table,
                 const struct resolution *resolved)
{
    if (lists_resolved(table->type))
        return is_listed(elfw, table, resolved);
    return resolved->verdict == RELOC_KEEP || resolved->verdict == RELOC_SPLIT;
}

static void
add_slots(const struct elfw *elfw, struct section *table)
{
    if (table->has_image_slots)
        table->entry_count += elfw->image_slots.count;
    table->size = table->entry_count * table_entry_size(table);
}

/* The table of SASS that goes with one of mercury, NULL: none does. */
static struct section *
following_table(const struct elfw *elfw, const struct section *table)
{
    struct section *twin = table->is_mercury ? elfw_section(elfw, table->twin) : NULL;
    return twin && twin->follows_twin ? twin : NULL;
}

/* Nearly all that are kept: they name a function, or a variable by its own name. */
static bool
is_kept_plain(const struct reloc_place *place, const struct reloc_entry *entry,
              const struct resolution *resolved)
{
    if (resolved->verdict != RELOC_KEEP)
        return false;
    bool is_function = symbol_type(elfw_get_symbol(place->elfw, resolved->symbol)) == STT_FUNC;
    return entry->is_rela && !resolved->base && resolved->addend == entry->addend &&
           resolved->symbol == place->object->symbols[entry->symbol] &&
           resolved->type == written_type(place->elfw, entry->type) &&
           resolved->names_code == is_function;
}

/* What becomes of each entry is kept, so that later only those that matter are looked at. */
static void
scan_piece(struct elfw *elfw, struct section *table, struct reloc_piece *piece)
{
    struct section *following = following_table(elfw, table);
    struct reloc_place place = place_of(elfw, table->target, piece);
    size_t size = entry_size(piece), count = piece->entries.size / size, followers = 0;

    piece->verdicts = arena_zero(elfw->arena, count);
    for (size_t i = 0; i < count; i++) {
        struct reloc_entry entry = read_entry(piece, i * size);
        if (!is_selected(&place, &entry))
            continue;
        struct resolution resolved = resolve_quickly(&place, &entry);
        piece->verdicts[i] = (uint8_t)(is_kept_plain(&place, &entry, &resolved) ? RELOC_KEEP_PLAIN
                                                                                : resolved.verdict);
        table->entry_count += belongs_to_table(elfw, table, &resolved);
        table->has_patches |= resolved.verdict == RELOC_APPLY || resolved.verdict == RELOC_ZERO ||
                              resolved.verdict == RELOC_SPLIT;
        if (piece->pair && has_follower(place.object, entry.symbol, entry.type))
            following->entry_count += will_follow(&place, followers++, &resolved);
    }
}

static void
scan_table(struct elfw *elfw, struct section *table)
{
    struct section *following = following_table(elfw, table);

    for (uint32_t p = table->first_piece; p; p = elfw->reloc_pieces.at[p].next)
        if (!elfw->reloc_pieces.at[p].is_stale)
            scan_piece(elfw, table, &elfw->reloc_pieces.at[p]);
    add_slots(elfw, table);
    if (following)
        add_slots(elfw, following);
}

void
relocate_scan(struct elfw *elfw)
{
    for (uint32_t i = 0; i < elfw->tables.count; i++) {
        struct section *table = elfw_section(elfw, elfw->tables.at[i]);
        if (!table->follows_twin && takes_part(elfw, table))
            scan_table(elfw, table);
    }
}

/* An entry without addend that is written with one: it is what the bits said. */
static int64_t
found_addend(const struct reloc_place *place, const struct reloc_entry *entry,
             const struct resolution *resolved)
{
    struct bytes input = elf_contents(&place->object->elf, place->piece->input_target);

    if (entry->is_rela || resolved->ignore_old)
        return resolved->addend;
    return (int64_t)fields_read_first(reloc_kind(entry->type), input.at + entry->offset,
                                      input.size - entry->offset);
}

/* In the patched section as it is now. */
static uint64_t
final_offset(const struct reloc_place *place, const struct reloc_entry *entry)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): entries come with their place */
    uint64_t offset = place->piece->base + entry->offset;

    elfw_moved_place(place->elfw, place->target, &offset);
    return offset;
}

static void
keep_entry(struct table_writer *writer, const struct reloc_place *place,
           const struct reloc_entry *entry, const struct resolution *resolved)
{
    bool has_addend = writer->table->type != SHT_REL;

    write_entry(writer, final_offset(place, entry), resolved->type, resolved->symbol,
                has_addend ? found_addend(place, entry, resolved) : 0);
}

static void
keep_plain_entry(struct table_writer *writer, const struct entry_walk *walk)
{
    const struct reloc_entry *entry = &walk->entry;
    uint64_t offset = walk_piece(walk)->base + entry->offset;

    elfw_moved_place(walk->elfw, walk->table->target, &offset);
    write_entry(writer, offset, written_type(walk->elfw, entry->type),
                walk->object->symbols[entry->symbol], entry->addend);
}

/* `bytes` are those of the range of the patched section. */
static void
patch_entry(const struct patched_range *range, const struct reloc_place *place,
            const struct reloc_entry *entry, const struct resolution *resolved, uint8_t *bytes)
{
    uint64_t offset = final_offset(place, entry) - range->from, room = range->to - range->from;

    if (offset >= room)
        return;
    if (resolved->verdict == RELOC_APPLY)
        fields_write(reloc_kind(entry->type), &resolved->value,
                     !entry->is_rela && !resolved->ignore_old, bytes + offset, room - offset);
    else if (resolved->verdict == RELOC_ZERO)
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
        write_entry(writer, base + elfw->placed.at[symbol->data_ordinal].address,
                    types[view][symbol_type(symbol)], symbol->sym_index, 0);
    }
}

void
relocate_write_table(struct elfw *elfw, uint32_t index, uint8_t *bytes)
{
    const struct section *table = elfw_section(elfw, index);
    struct table_writer writer = {elfw, table, bytes + table->size};

    if (!takes_part(elfw, deciding_table(elfw, table)))
        return;
    unsigned kept = 1u << RELOC_KEEP | 1u << RELOC_KEEP_PLAIN;
    if (!table->follows_twin)
        kept |= 1u << RELOC_SPLIT;
    unsigned wanted = lists_resolved(table->type) ? 1u << RELOC_APPLY : kept;
    struct entry_walk walk = open_walk(elfw, index, wanted);
    while (next_entry(&walk)) {
        if (table->follows_twin)
            keep_follower(&writer, &walk);
        else if (walk.is_plain)
            keep_plain_entry(&writer, &walk);
        else if (belongs_to_table(elfw, table, &walk.resolved))
            keep_entry(&writer, &walk.place, &walk.entry, &walk.resolved);
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
    struct entry_walk walk =
        open_walk(elfw, index, 1u << RELOC_APPLY | 1u << RELOC_ZERO | 1u << RELOC_SPLIT);

    walk.piece = range.first_piece;
    walk.end = range.end_piece;
    while (next_entry(&walk)) {
        if (walk.table->follows_twin)
            patch_follower(&range, &walk, bytes);
        else
            patch_entry(&range, &walk.place, &walk.entry, &walk.resolved, bytes);
    }
}
