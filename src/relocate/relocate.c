#include "relocate/relocate.h"

#include "relocate/resolve.h"

/* Entries of a table of the output. */
static size_t
table_entry_size(const struct section *table)
{
    return table->type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
}

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
    return resolved->verdict == RELOC_KEEP;
}

static void
scan_table(struct elfw *elfw, struct section *table)
{
    for (uint32_t p = table->first_piece; p; p = elfw->reloc_pieces.at[p].next) {
        const struct reloc_piece *piece = &elfw->reloc_pieces.at[p];
        if (piece->is_stale)
            continue;
        struct reloc_place place = place_of(elfw, table->target, piece);

        for (size_t at = 0; at + entry_size(piece) <= piece->entries.size;
             at += entry_size(piece)) {
            struct reloc_entry entry = read_entry(piece, at);
            if (!is_selected(&place, &entry))
                continue;
            struct resolution resolved = resolve_entry(&place, &entry);
            table->entry_count += belongs_to_table(elfw, table, &resolved);
        }
    }
    if (table->has_image_slots)
        table->entry_count += elfw->image_slots.count;
    table->size = table->entry_count * table_entry_size(table);
}

void
relocate_scan(struct elfw *elfw)
{
    for (uint32_t i = 1; i < elfw->sections.count; i++)
        if (takes_part(elfw, elfw_section(elfw, i)))
            scan_table(elfw, elfw_section(elfw, i));
}

/* Kept entries are written from the end: the last input's come first, each list reversed. */
struct table_writer {
    struct elfw *elfw;
    const struct section *table;
    uint8_t *next; /* the entry written last */
};

static void
write_entry(struct table_writer *writer, uint64_t offset, uint32_t type, int32_t symbol,
            int64_t addend)
{
    writer->next -= table_entry_size(writer->table);
    write_u64(writer->next, offset);
    write_u64(writer->next + 8,
              ELF64_R_INFO((uint64_t)elfw_remap_symbol(writer->elfw, symbol), type));
    if (writer->table->type != SHT_REL)
        write_u64(writer->next + 16, (uint64_t)addend);
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

static void
relocate_entry(struct table_writer *writer, const struct reloc_place *place,
               const struct reloc_entry *entry, uint8_t *image)
{
    const struct section *target = elfw_section(writer->elfw, place->target);
    struct resolution resolved = resolve_entry(place, entry);
    uint64_t offset = place->piece->base + entry->offset;

    if (belongs_to_table(writer->elfw, writer->table, &resolved)) {
        bool has_addend = writer->table->type != SHT_REL;
        write_entry(writer, offset, resolved.type, resolved.symbol,
                    has_addend ? found_addend(place, entry, &resolved) : 0);
        return;
    }
    if (lists_resolved(writer->table->type) ||
        (resolved.verdict != RELOC_APPLY && resolved.verdict != RELOC_ZERO))
        return;
    if (target->type == SHT_CUDA_CAPSULE || target->shares_bytes)
        return; /* mercury_finish_capsule knows the place; the other view has written it */
    uint8_t *bytes = image + target->output_offset + offset;
    if (resolved.verdict == RELOC_APPLY)
        fields_write(reloc_kind(entry->type), &resolved.value,
                     !entry->is_rela && !resolved.ignore_old, bytes, target->size - offset);
    else
        fields_clear(reloc_kind(entry->type), bytes, target->size - offset);
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
relocate_section(struct elfw *elfw, uint32_t index, uint8_t *image)
{
    const struct section *table = elfw_section(elfw, index);
    struct table_writer writer = {elfw, table, image + table->output_offset + table->size};

    if (!takes_part(elfw, table))
        return;
    for (uint32_t p = table->first_piece; p; p = elfw->reloc_pieces.at[p].next) {
        const struct reloc_piece *piece = &elfw->reloc_pieces.at[p];
        if (piece->is_stale)
            continue;
        struct reloc_place place = place_of(elfw, table->target, piece);

        for (size_t at = 0; at + entry_size(piece) <= piece->entries.size;
             at += entry_size(piece)) {
            struct reloc_entry entry = read_entry(piece, at);
            if (is_selected(&place, &entry))
                relocate_entry(&writer, &place, &entry, image);
        }
    }
    if (table->has_image_slots)
        write_image_slots(&writer);
}
