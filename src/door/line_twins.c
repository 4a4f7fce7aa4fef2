#include "door/line_sequences.h"

#include "mercury/code_places.h"

/*
 * Lines of both views: units with the same headers, and in each of them a sequence of rows for each of
 * the same functions, in any order. A sequence goes up to the end of its function, and its last row is
 * of the same line in both views. Rows themselves are not always the same: see line_rows.c.
 */
struct sequences {
    ARRAY(struct sequence) all; /* of SASS */
    uint32_t *of_symbols;       /* which of them, from 1 on; the last, if a function has several */
};

/* One in the table of unified functions is longer than its lines. */
static bool
is_table_entry(const struct elf_view *view, uint32_t symbol)
{
    uint32_t section = elf_symbol_section(view, symbol);

    return section < view->section_count && view->sections[section].sh_type == SHT_CUDA_UFT;
}

/* Relocatable links leave rows of definitions that were replaced, which end anywhere. In mercury of other
   releases functions may have the size that they have in SASS. */
static bool
is_same_sequence(const struct elf_view *view, const struct sequence *mercury,
                 const struct sequence *sass)
{
    uint32_t symbol = mercury->symbol;

    bool has_end = mercury->end == view->symbols[symbol].st_size ||
                   !(view->is_of_known_release || view->is_of_linker) ||
                   is_table_entry(view, symbol);
    bool has_same_end = has_end && sass->end == view->sass_symbols[symbol].st_size;

    if (mercury->unit != sass->unit)
        return false;
    if (!has_end && view->is_of_linker)
        return true;
    return (has_same_end || view->is_of_linker) && mercury->line == sass->line;
}

/* Both views of a unit. */
struct unit {
    struct line_unit mercury, sass;
    uint32_t number; /* from 1 */
};

static struct line_rows
rows_of(const struct lines *lines, const struct sequence *sequence)
{
    return (struct line_rows){sequence->rows ? lines->rows.at : NULL, sequence->rows,
                              sequence->marks > 0};
}

/* All that a sequence of SASS says, which was skipped before. */
static void
read_rows(struct lines *sass, const struct unit *unit, struct sequence *sequence)
{
    struct line_reader reader = line_unit_open(sass->contents, &unit->sass);

    reader.at = sequence->from;
    *sequence = read_sequence(sass, &reader);
    sequence->unit = unit->number;
    sequence->is_known = true;
}

/* Are the rows of SASS those that follow from the ones of mercury? */
static bool
are_made_rows(const struct lines *mercury, const struct lines *sass, const struct sequence *one,
              struct sequence *other, const struct unit *unit, const struct line_code *code)
{
    other->end = code->text.size;
    other->is_known =
        is_made_of_rows(behind_address(sass, other), rows_of(mercury, one), code,
                        sass->contents.at + unit->sass.from, mercury->door->arena, &other->line);
    return other->is_known;
}

/* The next function with this code may have the same. */
static void
note_lines(const struct lines *mercury, const struct lines *sass, const struct sequence *one,
           const struct sequence *other)
{
    struct known_lines *known = known_lines_of(mercury, one->symbol);

    if (known)
        *known = (struct known_lines){
            {behind_address(mercury, one), behind_address(sass, other)}, one->end, one->line};
}

/* Where it is known which instructions rows are of, those of SASS follow from those of mercury: mostly they
   need not be read. */
static bool
says_same(const struct lines *mercury, struct lines *sass, const struct sequence *one,
          struct sequence *other, const struct unit *unit)
{
    const struct elf_view *view = mercury->door->view;
    struct line_code code = {.map = map_of_symbol(view, mercury->maps, one->symbol),
                             .may_be_replaced = view->is_of_linker};
    bool has_places = code.map && view->is_of_known_release, is_usual = one->marks <= USUAL_MARKS;

    if (has_places) {
        uint32_t text = elf_symbol_section(view, one->symbol);
        code.text = elf_contents(view, view->twins[text]);
        code.inner = inner_functions_of(mercury, text);
    }
    if (has_places && is_usual && are_made_rows(mercury, sass, one, other, unit, &code)) {
        bool is_same = is_same_sequence(view, one, other);
        if (is_same)
            note_lines(mercury, sass, one, other);
        return is_same;
    }
    read_rows(sass, unit, other);
    return is_same_sequence(view, one, other) &&
           (!has_places || code.map->has_settings ||
            ((!is_usual || has_moved_lines(flags_sm(view->header.e_flags), code.text)) &&
             has_same_rows(rows_of(mercury, one), rows_of(sass, other), &code)));
}

/* The next sequence of mercury, if both views have what is known of its function; `first`: sequences of the unit
   come behind that one. */
static bool
pass_known(struct lines *mercury, const struct lines *sass, struct line_reader *reader,
           const struct sequences *sequences, uint32_t first)
{
    const struct elf_view *view = mercury->door->view;
    struct line_reader after = *reader;
    struct sequence one;

    if (!pass_known_sequence(mercury, &after, &one))
        return false;
    uint32_t number = sequences->of_symbols[one.symbol];
    struct sequence *other = number > first ? &sequences->all.at[number - 1] : NULL;
    if (!other ||
        !bytes_equal(behind_address(sass, other), known_lines_of(mercury, one.symbol)->rows.sass))
        return false;
    one.unit = other->unit;
    other->line = one.line;
    other->end = view->sections[view->twins[elf_symbol_section(view, one.symbol)]].sh_size;
    if (!is_same_sequence(view, &one, other))
        return false;
    other->is_known = true;
    *reader = after;
    return true;
}

/* How many sequences SASS has of a unit. */
static uint32_t
find_sequences(struct lines *sass, const struct unit *unit, struct sequences *sequences)
{
    struct line_reader reader = line_unit_open(sass->contents, &unit->sass);
    uint32_t before = sequences->all.count;

    while (reader.at < unit->sass.to) {
        struct sequence sequence = skip_sequence(sass, &reader);
        sequence.unit = unit->number;
        array_push(&sequences->all, sass->door->arena, sequence);
        sequences->of_symbols[sequence.symbol] = sequences->all.count;
    }
    return sequences->all.count - before;
}

static void
check_unit(struct lines *mercury, struct lines *sass, const struct unit *unit,
           struct sequences *sequences)
{
    const struct elf_view *view = mercury->door->view;
    struct line_reader reader = line_unit_open(mercury->contents, &unit->mercury);
    uint32_t left = find_sequences(sass, unit, sequences);
    uint32_t first = sequences->all.count - left;

    while (reader.at < unit->mercury.to) {
        if (left && pass_known(mercury, sass, &reader, sequences, first)) {
            left--;
            continue;
        }
        struct sequence sequence = read_sequence(mercury, &reader);
        uint32_t other = sequences->of_symbols[sequence.symbol];

        sequence.unit = unit->number;
        if (!sequence.symbol && view->is_of_linker)
            continue;
        if (!left-- || !sequence.symbol || other <= first ||
            !says_same(mercury, sass, &sequence, &sequences->all.at[other - 1], unit))
            REFUSE_CONTENTS(mercury->door, mercury->section, sequence.from,
                            "the other view says something else");
    }
    if (left)
        REFUSE_CONTENTS(mercury->door, mercury->section, unit->mercury.from,
                        "%u sequences of lines are in the other view alone", left);
    for (uint32_t i = first; i < sequences->all.count; i++)
        if (!sequences->all.at[i].is_known)
            read_rows(sass, unit, &sequences->all.at[i]);
}

/* What stands before the sequences, but for the length of all. */
static struct bytes
unit_header(const struct lines *lines, const struct line_unit *unit)
{
    uint64_t from = unit->from + UNIT_LENGTH;

    return (struct bytes){lines->contents.at + from, unit->program - from};
}

static struct line_unit
read_unit(const struct lines *lines, uint64_t at)
{
    struct line_unit unit;

    if (!lines->contents.at || !line_unit_read(&unit, lines->contents, at))
        REFUSE_CONTENTS(lines->door, lines->section, at, "the line table is damaged");
    return unit;
}

/* The link takes the table of SASS apart once more. Where all is known of it, each sequence begins with the address
   of its function, and has no other. */
static void
note_sequences(const struct lines *sass, const struct sequences *sequences)
{
    uint32_t count = sequences->all.count;
    bool is_usual = sass->door->view->is_of_known_release && sass->contents.size <= UINT32_MAX;

    for (uint32_t i = 0; i < count; i++)
        is_usual &= sequences->all.at[i].symbol != 0;
    if (!is_usual || !count)
        return;
    struct section_marks *marks = note_marks(sass->door, sass->section, count);
    for (uint32_t i = 0; i < count; i++)
        marks->ends[i] = (uint32_t)sequences->all.at[i].to;
}

void
check_lines(const struct door *door, uint32_t section, uint32_t table, struct code_map *const *maps)
{
    const struct elf_view *view = door->view;
    struct lines mercury = read_lines(door, section, table, true, maps);
    struct lines sass =
        read_lines(door, view->twins[section], table ? view->twins[table] : 0, false, maps);
    struct sequences sequences = {
        .of_symbols = arena_array(door->arena, view->symbol_count, sizeof *sequences.of_symbols)};
    struct unit unit = {0};

    find_inner_functions(&mercury);
    mercury.table = sass.table =
        !strcmp(elf_section_name(view, view->twins[section]), ".nv_debug_line_sass");
    while (unit.mercury.to < mercury.contents.size) {
        unit.mercury = read_unit(&mercury, unit.mercury.to);
        unit.sass = read_unit(&sass, unit.sass.to);
        unit.number++;
        if (!bytes_equal(unit_header(&mercury, &unit.mercury), unit_header(&sass, &unit.sass)))
            REFUSE_CONTENTS(door, section, unit.mercury.from, "the other view has another header");
        check_line_header(door, section, mercury.contents, &unit.mercury);
        take_name(&mercury, &unit.mercury);
        take_name(&sass, &unit.sass);
        check_unit(&mercury, &sass, &unit, &sequences);
    }
    if (unit.sass.to != sass.contents.size || mercury.left || sass.left || mercury.name_count ||
        sass.name_count)
        REFUSE_CONTENTS(door, section, 0, "the other view says something else");
    note_sequences(&sass, &sequences);
}
