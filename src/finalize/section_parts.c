#include "finalize/section_parts.h"

#include "finalize/late_tables.h"
#include "relocate/relocate.h"

static void
add_cut(const struct output *output, struct section_parts *parts, uint64_t offset, uint32_t piece)
{
    struct section_cut cut = {offset, piece, parts->cuts.count * parts->table_count};
    array_push(&parts->cuts, output->elfw->arena, cut);
}

/* False if the pieces do not follow each other. */
static bool
cut_pieces(const struct output *output, struct section_parts *parts)
{
    const struct elfw *elfw = output->elfw;
    const struct section *section = &elfw->sections.at[parts->section];
    uint64_t done = 0, from = 0;

    add_cut(output, parts, 0, section->first_piece);
    for (uint32_t p = section->first_piece; p; p = elfw->pieces.at[p].next) {
        const struct piece *piece = &elfw->pieces.at[p];

        if (piece->base < done)
            return false;
        done = piece->base + piece->size;
        if (done - from > PART_SIZE && p != parts->cuts.at[parts->cuts.count - 1].piece) {
            from = piece->base;
            add_cut(output, parts, from, p);
        }
    }
    add_cut(output, parts, section->size, 0);
    return done <= section->size;
}

/* False if the entries do not follow each other input by input. */
static bool
cut_entries(const struct output *output, struct section_parts *parts, uint32_t table,
            uint32_t column)
{
    const struct elfw *elfw = output->elfw;
    uint32_t piece = relocate_first_piece(elfw, table);
    uint64_t last = 0;

    for (uint32_t cut = 0; cut < parts->cuts.count; cut++) {
        for (; piece && elfw->reloc_pieces.at[piece].base < parts->cuts.at[cut].offset;
             piece = elfw->reloc_pieces.at[piece].next) {
            if (elfw->reloc_pieces.at[piece].base < last)
                return false;
            last = elfw->reloc_pieces.at[piece].base;
        }
        parts->entries[parts->cuts.at[cut].entries + column] = piece;
    }
    return piece == 0;
}

static uint32_t
count_tables(const struct output *output, uint32_t section)
{
    uint32_t count = 0;

    for (uint32_t table = output->first_table[section]; table; table = output->next_table[table])
        count++;
    return count;
}

/* Constants may have been laid out anew: what lies where only elfw_moved_place knows. */
const struct section_parts *
split_section(const struct output *output, uint32_t section)
{
    struct elfw *elfw = output->elfw;
    struct section_parts *parts = arena_zero(elfw->arena, sizeof *parts);
    uint32_t column = 0;

    *parts =
        (struct section_parts){.section = section, .table_count = count_tables(output, section)};
    if (!parts->table_count || elfw->sections.at[section].contents ||
        section == elfw->packed_bank || !cut_pieces(output, parts) || parts->cuts.count <= 2)
        return NULL;
    parts->entries = arena_array(elfw->arena, (size_t)parts->cuts.count * parts->table_count,
                                 sizeof *parts->entries);
    for (uint32_t table = output->first_table[section]; table; table = output->next_table[table])
        if (!cut_entries(output, parts, table, column++))
            return NULL;
    return parts;
}

void
copy_pieces(const struct elfw *elfw, uint32_t first, uint32_t end, uint64_t from, uint64_t to,
            uint8_t *at)
{
    uint64_t done = from;

    for (uint32_t p = first; p != end; p = elfw->pieces.at[p].next) {
        const struct piece *piece = &elfw->pieces.at[p];
        if (piece->base > done)
            memset(at + (done - from), 0, piece->base - done);
        copy_piece(piece, at + (piece->base - from));
        done = max_u64(done, piece->base + piece->size);
    }
    if (to > done)
        memset(at + (done - from), 0, to - done);
}

void
make_section_part(const struct output *output, const struct section_parts *parts, uint32_t part,
                  uint8_t *at)
{
    struct elfw *elfw = output->elfw;
    const struct section_cut *cut = &parts->cuts.at[part];
    struct patched_range range = {cut[0].offset, cut[1].offset, 0, 0};
    const uint32_t *first = &parts->entries[cut[0].entries];
    const uint32_t *end = &parts->entries[cut[1].entries];

    copy_pieces(elfw, cut[0].piece, cut[1].piece, range.from, range.to, at);
    for (uint32_t table = output->first_table[parts->section]; table;
         table = output->next_table[table]) {
        range.first_piece = *first++;
        range.end_piece = *end++;
        relocate_patch(elfw, table, range, at);
    }
}
