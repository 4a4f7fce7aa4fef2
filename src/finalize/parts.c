#include "finalize/parts.h"

#include "finalize/late_tables.h"

bool
section_has_bytes(const struct section *section)
{
    return !section->shares_bytes && section->size > 0 &&
           (section->contents || !has_no_contents(section->type));
}

static uint32_t
section_of_part(const struct output *output, const struct part *part)
{
    return output->elfw->section_order[part->first];
}

uint64_t
part_offset(const struct output *output, const struct part *part)
{
    uint64_t offset =
        part->kind == PART_OF_SECTION
            ? part->split->cuts.at[part->number].offset
            : find_late_cuts(output->elfw, section_of_part(output, part))->at[part->number].offset;

    return section_of_file(output, part->first)->output_offset + offset;
}

uint64_t
part_size(const struct output *output, const struct part *part)
{
    return part->kind == PART_OF_SECTION
               ? section_part_size(part->split, part->number)
               : late_part_size(output->elfw, section_of_part(output, part), part->number);
}

void
make_part_of_section(const struct output *output, const struct part *part, uint8_t *at)
{
    if (part->kind == PART_OF_SECTION)
        make_section_part(output, part->split, part->number, at);
    else
        write_late_part(output->elfw, section_of_part(output, part), part->number, at);
}

/* How a section with several parts is cut; `count` is 0 if it has none of its own. */
struct cutting {
    uint32_t count;
    const struct section_parts *split; /* NULL: a table that is made when it is written */
};

static struct cutting
cut_section(const struct output *output, uint32_t number)
{
    uint32_t index = output->elfw->section_order[number];
    const cut_list *cuts = late_cuts(output->elfw, index);

    if (cuts)
        return (struct cutting){cuts->count > 1 ? cuts->count : 0, NULL};
    if (section_of_file(output, number)->size <= PART_SIZE)
        return (struct cutting){0};
    const struct section_parts *split = split_section(output, index);
    return (struct cutting){split ? split->cuts.count - 1 : 0, split};
}

static void
add_sections(const struct output *output, uint32_t first, uint32_t end, part_list *parts)
{
    if (first < end)
        array_push(parts, output->elfw->arena, ((struct part){PART_SECTIONS, first, end, 0, NULL}));
}

static void
add_cut_section(const struct output *output, uint32_t number, struct cutting cutting,
                part_list *parts)
{
    enum part_kind kind = cutting.split ? PART_OF_SECTION : PART_OF_TABLE;

    for (uint32_t i = 0; i < cutting.count; i++)
        array_push(parts, output->elfw->arena,
                   ((struct part){kind, number, number + 1, i, cutting.split}));
}

static void
add_headers(const struct output *output, part_list *parts)
{
    enum { HEADERS_OF_A_PART = PART_SIZE / sizeof(Elf64_Shdr) };
    uint32_t count = output->elfw->output_section_count;

    for (uint32_t n = 0; n < count; n += HEADERS_OF_A_PART) {
        uint32_t end = count - n < HEADERS_OF_A_PART ? count : n + HEADERS_OF_A_PART;
        array_push(parts, output->elfw->arena, ((struct part){PART_HEADERS, n, end, 0, NULL}));
    }
}

enum { STRIDE = 32 };

/* Sections with bytes follow each other: where a part that begins at `from` has room for one that is so
   many further on, it has for all before it. */
static bool
has_room_for_next(const struct output *output, uint32_t n, uint64_t from)
{
    if (n + STRIDE >= output->elfw->output_section_count)
        return false;
    const struct section *section = section_of_file(output, n + STRIDE);
    return section_has_bytes(section) && section->output_offset + section->size - from <= PART_SIZE;
}

part_list
list_parts(const struct output *output)
{
    part_list parts = {0};
    uint32_t count = output->elfw->output_section_count, first = 1;
    uint64_t from = sizeof(Elf64_Ehdr);

    for (uint32_t n = 1; n < count; n++) {
        const struct section *section = section_of_file(output, n);

        if (has_room_for_next(output, n, from)) {
            n += STRIDE;
            continue;
        }
        if (!section_has_bytes(section))
            continue;
        struct cutting cutting = cut_section(output, n);
        uint64_t end = section->output_offset + section->size;
        if (n > first && (cutting.count || end - from > PART_SIZE)) {
            add_sections(output, first, n, &parts);
            first = n;
            from = section->output_offset;
        }
        if (cutting.count) {
            add_cut_section(output, n, cutting, &parts);
            first = n + 1;
            from = end;
        }
    }
    add_sections(output, first, count, &parts);
    add_headers(output, &parts);
    return parts;
}
