#include "door/check.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "door/line_rows.h"
#include "mercury/line_opcodes.h"
#include "mercury/line_program.h"

/*
 * Lines of both views: units with the same headers, and in each of them a sequence of rows for each of
 * the same functions, in any order. A sequence goes up to the end of its function, and its last row is
 * of the same line in both views. Rows themselves are not always the same: see line_rows.c.
 */
enum { ADDRESS_SIZE = 8 };

/* A relocation of an address. */
struct address {
    uint64_t offset;
    uint32_t symbol;
};

struct lines {
    const struct door *door;
    struct code_map *const *maps;
    uint32_t section;
    struct bytes contents;
    struct address *addresses; /* by their places */
    struct address
        *names; /* of functions: where they stand is filled in before the lines of a unit */
    uint32_t name_count; /* how many there are that belong to no unit yet */
    bool is_mercury;
    uint32_t left;               /* how many addresses belong to no sequence yet */
    ARRAY(struct line_row) rows; /* of a unit, or of a sequence */
};

/* What a sequence comes to. */
struct sequence {
    uint64_t from, to;  /* its bytes */
    uint32_t first_row; /* among those of its unit */
    uint32_t unit;      /* number of the unit that it is in, 0: none */
    uint32_t symbol;    /* of its function */
    uint32_t rows;      /* how many it has */
    uint32_t marks;     /* where rows begin to be early, and where they end to be */
    uint64_t end;       /* of its addresses */
    int64_t line;       /* of the last row */
};

/* Those that are no addresses. */
static void
read_name(struct lines *lines, uint32_t table, const uint8_t *entry, size_t at)
{
    const struct elf_view *view = lines->door->view;
    uint32_t type = entry_type(entry), symbol = entry_symbol(entry);
    uint32_t section = symbol < view->symbol_count ? elf_symbol_section(view, symbol) : 0;

    if (!view->is_of_known_release)
        return;
    if (type != (lines->is_mercury ? R_MERCURY_ABS32 : R_CUDA_32) ||
        section >= view->section_count ||
        strcmp(elf_section_name(view, section), ".debug_str") != 0 ||
        (entry_addend(entry) && !view->is_of_linker) ||
        !bytes_hold(lines->contents, entry_offset(entry), sizeof(uint32_t)))
        REFUSE_CONTENTS(lines->door, table, at, "type 0x%x", type);
    if (!lines->names)
        lines->names = arena_array(lines->door->arena, lines->contents.size / ADDRESS_SIZE + 1,
                                   sizeof *lines->names);
    lines->names[entry_offset(entry) / ADDRESS_SIZE] =
        (struct address){entry_offset(entry), symbol};
    lines->name_count++;
}

static void
read_addresses(struct lines *lines, uint32_t table)
{
    struct bytes entries = elf_contents(lines->door->view, table);

    for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size; at += sizeof(Elf64_Rela)) {
        uint64_t offset = entry_offset(entries.at + at);
        uint32_t type = entry_type(entries.at + at);

        if (type != (lines->is_mercury ? R_MERCURY_ABS64 : R_CUDA_64)) {
            read_name(lines, table, entries.at + at, at);
            continue;
        }
        if (!bytes_hold(lines->contents, offset, ADDRESS_SIZE) ||
            read_u64(lines->contents.at + offset) || entry_addend(entries.at + at))
            REFUSE_CONTENTS(lines->door, table, at, "no address is to be filled in at 0x%llx",
                            (unsigned long long)offset);
        lines->addresses[offset / ADDRESS_SIZE] =
            (struct address){offset, entry_symbol(entries.at + at)};
        lines->left++;
    }
}

static struct lines
read_lines(const struct door *door, uint32_t section, uint32_t table, bool is_mercury)
{
    struct lines lines = {.door = door,
                          .section = section,
                          .contents = elf_contents(door->view, section),
                          .is_mercury = is_mercury};

    lines.addresses =
        arena_array(door->arena, lines.contents.size / ADDRESS_SIZE + 1, sizeof *lines.addresses);
    if (table)
        read_addresses(&lines, table);
    return lines;
}

/* The function whose address is at that place; 0: none. */
static uint32_t
take_function(struct lines *lines, uint64_t offset)
{
    const struct address *address = &lines->addresses[offset / ADDRESS_SIZE];

    if (address->offset != offset || address->symbol >= lines->door->view->symbol_count)
        return 0;
    lines->left--;
    return address->symbol;
}

/* The last word of a header may be filled in. */
static void
take_name(struct lines *lines, const struct line_unit *unit)
{
    uint64_t offset = unit->program - sizeof(uint32_t);

    if (lines->names && lines->names[offset / ADDRESS_SIZE].offset == offset)
        lines->name_count--;
}

/* ---- operations ---- */

/* The operands of a call: the row, which is before it, and where the name stands. `said` is what follows the
   code of an operation. */
static bool
read_call(struct bytes said, struct line_row *row)
{
    struct line_reader reader = {.bytes = said};
    uint64_t call, name;

    if (!line_read_number(&reader, &call) || !line_read_number(&reader, &name) ||
        reader.at != said.size || call > UINT32_MAX || name > UINT32_MAX)
        return false;
    row->call = (uint32_t)call;
    row->name = (uint32_t)name;
    return true;
}

/* Rows are early from the first on, up to the second, or none is; functions inside of others have marks of
   their own. */
enum { MARKS = 2 };

static bool
is_usual_mark(struct bytes said, const struct sequence *sequence)
{
    bool is_begin = sequence->marks % 2 == 0;

    return said.size == 1 && said.at[0] == is_begin &&
           (sequence->marks >= MARKS || sequence->marks == sequence->rows);
}

/* A code, behind a 0 and a length, and what it says. */
static bool
read_extended(const struct lines *lines, struct bytes operation, struct sequence *sequence,
              struct line_row *row)
{
    enum { CODE = 2, SAID = 3 };

    if (operation.size < SAID)
        return false;
    struct bytes said = {operation.at + SAID, operation.size - SAID};
    if (operation.at[CODE] == INLINED)
        return read_call(said, row) && row->call <= sequence->rows;
    if (operation.at[CODE] != IS_EARLY || !lines->is_mercury || !is_usual_mark(said, sequence))
        return false;
    sequence->marks++;
    return true;
}

/* Is it one that compilers and linkers use? It says something of the rows to come. */
static bool
read_usual(const struct lines *lines, const struct line_reader *reader,
           const struct line_operation *operation, struct sequence *sequence, struct line_row *row)
{
    enum { END_SIZE = 3 };
    const uint8_t *at = reader->bytes.at + operation->from;
    size_t size = operation->to - operation->from;

    if (operation->address)
        return operation->from == sequence->from &&
               operation->to - operation->address == ADDRESS_SIZE;
    if (*at == EXTENDED)
        return operation->ends_sequence
                   ? size == END_SIZE
                   : read_extended(lines, (struct bytes){at, size}, sequence, row);
    row->is_copied = *at == COPY;
    return *at <= SET_FILE || *at >= reader->unit[OPCODE_BASE_AT];
}

static void
add_row(struct lines *lines, struct sequence *sequence, const struct line_row *row)
{
    struct line_row copy = *row;

    copy.address = (uint32_t)sequence->end;
    array_push(&lines->rows, lines->door->arena, copy);
    sequence->line = row->line;
    sequence->rows++;
}

static struct sequence
read_sequence(struct lines *lines, struct line_reader *reader)
{
    struct sequence sequence = {.from = reader->at, .first_row = lines->rows.count};
    struct line_operation operation = {0};
    struct line_row row = {0};

    while (!operation.ends_sequence) {
        if (reader->at >= reader->bytes.size || !line_next(reader, &operation))
            REFUSE_CONTENTS(lines->door, lines->section, sequence.from,
                            "the line table has no end");
        if (lines->door->view->is_of_known_release &&
            !read_usual(lines, reader, &operation, &sequence, &row))
            REFUSE_CONTENTS(lines->door, lines->section, operation.from,
                            "an operation that is not known");
        sequence.end += operation.advance;
        row.line += operation.lines;
        row.has_inlined |= operation.is_inlined;
        if (operation.sets_file)
            row.file = (uint32_t)operation.file;
        if (operation.adds_row)
            add_row(lines, &sequence, &row);
        if (operation.address && operation.to - operation.address == ADDRESS_SIZE)
            sequence.symbol = take_function(lines, operation.address);
    }
    sequence.to = reader->at;
    if (sequence.marks % 2)
        REFUSE_CONTENTS(lines->door, lines->section, sequence.from, "early rows have no end");
    return sequence;
}

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

/* Both views of a unit; how many sequences there are more in SASS. */
struct unit {
    struct line_unit mercury, sass;
    uint32_t number; /* from 1 */
};

static struct line_rows
rows_of(const struct lines *lines, const struct sequence *sequence)
{
    return (struct line_rows){sequence->rows ? lines->rows.at + sequence->first_row : NULL,
                              sequence->rows, sequence->marks > 0};
}

/* What follows the address of the function, which comes first. */
static struct bytes
behind_address(const struct lines *lines, const struct sequence *sequence)
{
    enum { CODE_SIZE = 3 };
    uint64_t from = sequence->from + CODE_SIZE + ADDRESS_SIZE;

    return from <= sequence->to ? (struct bytes){lines->contents.at + from, sequence->to - from}
                                : (struct bytes){0};
}

/* All of their rows, where it is known which instructions they are of. */
static bool
says_same_lines(const struct lines *mercury, const struct lines *sass, const struct sequence *one,
                const struct sequence *other, const struct unit *unit)
{
    const struct elf_view *view = mercury->door->view;
    struct line_code code = {.map = map_of_symbol(view, mercury->maps, one->symbol),
                             .may_be_replaced = view->is_of_linker};
    struct line_rows rows = rows_of(mercury, one);

    if (!code.map || !view->is_of_known_release)
        return true;
    code.text = elf_contents(view, view->twins[elf_symbol_section(view, one->symbol)]);
    bool is_known = one->marks <= MARKS;
    return (is_known &&
            is_made_of_rows(behind_address(sass, other), rows, &code,
                            sass->contents.at + unit->sass.from, mercury->door->arena)) ||
           ((!is_known || has_moved_lines(flags_sm(view->header.e_flags), code.text)) &&
            has_same_rows(rows, rows_of(sass, other), &code));
}

static void
check_unit(struct lines *mercury, struct lines *sass, const struct unit *unit,
           struct sequence *of_sass)
{
    const struct elf_view *view = mercury->door->view;
    struct line_reader reader = line_unit_open(sass->contents, &unit->sass);
    uint32_t left = 0;

    sass->rows.count = 0;
    for (; reader.at < unit->sass.to; left++) {
        struct sequence sequence = read_sequence(sass, &reader);
        sequence.unit = unit->number;
        of_sass[sequence.symbol] = sequence;
    }
    reader = line_unit_open(mercury->contents, &unit->mercury);
    while (reader.at < unit->mercury.to) {
        mercury->rows.count = 0;
        struct sequence sequence = read_sequence(mercury, &reader);
        const struct sequence *other = &of_sass[sequence.symbol];

        sequence.unit = unit->number;
        if (!sequence.symbol && view->is_of_linker)
            continue;
        if (!left-- || !sequence.symbol || !is_same_sequence(view, &sequence, other) ||
            !says_same_lines(mercury, sass, &sequence, other, unit))
            REFUSE_CONTENTS(mercury->door, mercury->section, sequence.from,
                            "the other view says something else");
    }
    if (left)
        REFUSE_CONTENTS(mercury->door, mercury->section, unit->mercury.from,
                        "%u sequences of lines are in the other view alone", left);
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

void
check_lines(const struct door *door, uint32_t section, uint32_t table, struct code_map *const *maps)
{
    const struct elf_view *view = door->view;
    struct lines mercury = read_lines(door, section, table, true);
    struct lines sass =
        read_lines(door, view->twins[section], table ? view->twins[table] : 0, false);
    struct sequence *of_sass = arena_array(door->arena, view->symbol_count, sizeof *of_sass);
    struct unit unit = {0};

    mercury.maps = maps;
    while (unit.mercury.to < mercury.contents.size) {
        unit.mercury = read_unit(&mercury, unit.mercury.to);
        unit.sass = read_unit(&sass, unit.sass.to);
        unit.number++;
        if (!bytes_equal(unit_header(&mercury, &unit.mercury), unit_header(&sass, &unit.sass)))
            REFUSE_CONTENTS(door, section, unit.mercury.from, "the other view has another header");
        check_line_header(door, section, mercury.contents, &unit.mercury);
        take_name(&mercury, &unit.mercury);
        take_name(&sass, &unit.sass);
        check_unit(&mercury, &sass, &unit, of_sass);
    }
    if (unit.sass.to != sass.contents.size || mercury.left || sass.left || mercury.name_count ||
        sass.name_count)
        REFUSE_CONTENTS(door, section, 0, "the other view says something else");
}
