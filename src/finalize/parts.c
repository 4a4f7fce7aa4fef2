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

/* The parts of a section that has several; false if it has not. */
static bool
list_parts_of_section(const struct output *output, uint32_t number, part_list *parts)
{
    struct elfw *elfw = output->elfw;
    uint32_t index = elfw->section_order[number], count = 0;
    bool is_large = section_of_file(output, number)->size > PART_SIZE;
    const cut_list *cuts = late_cuts(elfw, index);
    const struct section_parts *split =
        is_large && !cuts ? split_section(output, index, PART_SIZE) : NULL;

    if (cuts && cuts->count > 1)
        count = cuts->count;
    else if (split)
        count = split->cuts.count - 1;
    for (uint32_t i = 0; i < count; i++)
        array_push(
            parts, elfw->arena,
            ((struct part){split ? PART_OF_SECTION : PART_OF_TABLE, number, number + 1, i, split}));
    return count;
}

static void
add_sections(const struct output *output, uint32_t first, uint32_t end, part_list *parts)
{
    if (first < end)
        array_push(parts, output->elfw->arena, ((struct part){PART_SECTIONS, first, end, 0, NULL}));
}

part_list
list_parts(const struct output *output)
{
    enum { HEADERS_OF_A_PART = PART_SIZE / sizeof(Elf64_Shdr) };
    struct elfw *elfw = output->elfw;
    part_list parts = {0}, of_section = {0};
    uint32_t count = elfw->output_section_count, first = 1;
    uint64_t from = sizeof(Elf64_Ehdr);

    for (uint32_t n = 1; n < count; n++) {
        const struct section *section = section_of_file(output, n);

        elfw_expect_after(elfw, n);
        if (!section_has_bytes(section))
            continue;
        of_section.count = 0;
        bool is_split = list_parts_of_section(output, n, &of_section);
        if (n > first && (is_split || section->output_offset + section->size - from > PART_SIZE)) {
            add_sections(output, first, n, &parts);
            first = n;
            from = section->output_offset;
        }
        for (uint32_t i = 0; i < of_section.count; i++)
            array_push(&parts, elfw->arena, of_section.at[i]);
        if (is_split) {
            first = n + 1;
            from = section->output_offset + section->size;
        }
    }
    add_sections(output, first, count, &parts);
    for (uint32_t n = 0; n < count; n += HEADERS_OF_A_PART) {
        uint32_t end = count - n < HEADERS_OF_A_PART ? count : n + HEADERS_OF_A_PART;
        array_push(&parts, elfw->arena, ((struct part){PART_HEADERS, n, end, 0, NULL}));
    }
    return parts;
}
