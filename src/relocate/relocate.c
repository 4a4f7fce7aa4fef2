#include "relocate/relocate.h"

#include "relocate/resolve.h"

static size_t
entry_size(bool is_rela)
{
    return is_rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
}

static bool
takes_part(const struct section *section)
{
    return is_relocation_table(section->type) && section->state == SECTION_LIVE;
}

void
relocate_scan(struct elfw *elfw)
{
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        struct section *table = elfw_section(elfw, i);
        bool is_rela = table->type == SHT_RELA;

        if (!takes_part(table))
            continue;
        for (uint32_t p = table->first_piece; p; p = elfw->reloc_pieces.at[p].next) {
            const struct reloc_piece *piece = &elfw->reloc_pieces.at[p];
            struct reloc_place place = place_of(elfw, table->target, piece);

            for (size_t at = 0; at < piece->entries.size; at += entry_size(is_rela)) {
                struct reloc_entry entry = read_entry(piece, is_rela, at);
                table->entry_count += resolve_entry(&place, &entry).verdict == RELOC_KEEP;
            }
        }
        if (table->has_image_slots)
            table->entry_count += elfw->image_slots.count;
        table->size = table->entry_count * entry_size(is_rela);
    }
}

/* Kept entries are written from the end: the last input's come first, each list reversed. */
struct table_writer {
    struct elfw *elfw;
    uint8_t *next; /* the entry written last */
    bool is_rela;
};

static void
write_entry(struct table_writer *writer, uint64_t offset, uint32_t type, int32_t symbol,
            int64_t addend)
{
    writer->next -= entry_size(writer->is_rela);
    write_u64(writer->next, offset);
    write_u64(writer->next + 8,
              ELF64_R_INFO((uint64_t)elfw_remap_symbol(writer->elfw, symbol), type));
    if (writer->is_rela)
        write_u64(writer->next + 16, (uint64_t)addend);
}

static void
relocate_piece(struct table_writer *writer, const struct reloc_place *place, uint8_t *image)
{
    const struct section *target = elfw_section(writer->elfw, place->target);
    const struct reloc_piece *piece = place->piece;

    for (size_t at = 0; at < piece->entries.size; at += entry_size(writer->is_rela)) {
        struct reloc_entry entry = read_entry(piece, writer->is_rela, at);
        struct resolution resolved = resolve_entry(place, &entry);
        uint64_t offset = piece->base + entry.offset;
        uint8_t *bytes = image + target->output_offset + offset;
        uint64_t room = target->size - offset;

        if (resolved.verdict == RELOC_KEEP)
            write_entry(writer, offset, resolved.type, resolved.symbol, resolved.addend);
        else if (resolved.verdict == RELOC_APPLY)
            fields_write(reloc_kind(entry.type), &resolved.value,
                         !writer->is_rela && !resolved.ignore_old, bytes, room);
        else if (resolved.verdict == RELOC_ZERO)
            fields_clear(reloc_kind(entry.type), bytes, room);
    }
}

static void
write_image_slots(struct table_writer *writer)
{
    static const uint8_t types[] = {
        [STT_CUDA_TEXTURE] = R_CUDA_TEX_HEADER_INDEX,
        [STT_CUDA_SAMPLER] = R_CUDA_SAMP_HEADER_INDEX,
        [STT_CUDA_SURFACE] = R_CUDA_SURF_HEADER_INDEX,
    };
    struct elfw *elfw = writer->elfw;

    for (uint32_t i = 0; i < elfw->image_slots.count; i++) {
        const struct symbol_record *symbol = elfw_get_symbol(elfw, elfw->image_slots.at[i]);
        write_entry(writer, elfw->placed.at[symbol->data_ordinal].address,
                    types[symbol_type(symbol)], symbol->sym_index, 0);
    }
}

void
relocate_section(struct elfw *elfw, uint32_t index, uint8_t *image)
{
    struct section *table = elfw_section(elfw, index);
    struct table_writer writer = {
        .elfw = elfw,
        .next = image + table->output_offset + table->size,
        .is_rela = table->type == SHT_RELA,
    };

    if (!takes_part(table))
        return;
    for (uint32_t p = table->first_piece; p; p = elfw->reloc_pieces.at[p].next) {
        struct reloc_place place = place_of(elfw, table->target, &elfw->reloc_pieces.at[p]);
        relocate_piece(&writer, &place, image);
    }
    if (table->has_image_slots)
        write_image_slots(&writer);
}
