#include "door/line_sequences.h"

#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "mercury/code_places.h"
#include "mercury/line_opcodes.h"

enum { ADDRESS_SIZE = 8 };

/* A code, behind a 0 and a length, and what it says. */
enum { CODE_AT = 2 };

/* ---- relocations ---- */

static const uint8_t *
entry_numbered(const struct lines *lines, uint32_t number)
{
    return lines->entries.at + (size_t)(number - 1) * sizeof(Elf64_Rela);
}

static uint32_t *
numbers_by_place(const struct lines *lines)
{
    return arena_array(lines->door->arena, lines->contents.size / ADDRESS_SIZE + 1,
                       sizeof(uint32_t));
}

/* Those that are no addresses. */
static void
read_name(struct lines *lines, uint32_t table, uint32_t number)
{
    const struct elf_view *view = lines->door->view;
    const uint8_t *entry = entry_numbered(lines, number);
    uint32_t type = entry_type(entry), symbol = entry_symbol(entry);
    uint32_t section = symbol < view->symbol_count ? elf_symbol_section(view, symbol) : 0;

    if (!view->is_of_known_release)
        return;
    if (type != (lines->is_mercury ? R_MERCURY_ABS32 : R_CUDA_32) ||
        section >= view->section_count ||
        strcmp(elf_section_name(view, section), ".debug_str") != 0 ||
        (entry_addend(entry) && !view->is_of_linker) ||
        !bytes_hold(lines->contents, entry_offset(entry), sizeof(uint32_t)))
        REFUSE_CONTENTS(lines->door, table, (uint64_t)(entry - lines->entries.at), "type 0x%x",
                        type);
    if (!lines->names)
        lines->names = numbers_by_place(lines);
    lines->names[entry_offset(entry) / ADDRESS_SIZE] = number;
    lines->name_count++;
}

static void
read_addresses(struct lines *lines, uint32_t table)
{
    uint32_t count = (uint32_t)(lines->entries.size / sizeof(Elf64_Rela));

    for (uint32_t number = 1; number <= count; number++) {
        const uint8_t *entry = entry_numbered(lines, number);
        uint64_t offset = entry_offset(entry);

        if (entry_type(entry) != (lines->is_mercury ? R_MERCURY_ABS64 : R_CUDA_64)) {
            read_name(lines, table, number);
            continue;
        }
        if (!bytes_hold(lines->contents, offset, ADDRESS_SIZE) ||
            read_u64(lines->contents.at + offset) || entry_addend(entry))
            REFUSE_CONTENTS(lines->door, table, (uint64_t)(entry - lines->entries.at),
                            "no address is to be filled in at 0x%llx", (unsigned long long)offset);
        lines->addresses[offset / ADDRESS_SIZE] = number;
        lines->left++;
    }
}

struct lines
read_lines(const struct door *door, uint32_t section, uint32_t table, bool is_mercury,
           struct code_map *const *maps)
{
    struct lines lines = {.door = door,
                          .maps = maps,
                          .section = section,
                          .contents = elf_contents(door->view, section),
                          .is_mercury = is_mercury};

    lines.addresses = numbers_by_place(&lines);
    if (table) {
        lines.entries = elf_contents(door->view, table);
        read_addresses(&lines, table);
    }
    return lines;
}

/* The function whose address is at that place; 0: none. It may be asked for again. */
static uint32_t
take_function(struct lines *lines, uint64_t offset)
{
    static const uint32_t is_taken = UINT32_C(1) << 31;
    uint32_t *slot = &lines->addresses[offset / ADDRESS_SIZE];
    uint32_t number = *slot & ~is_taken;

    if (!number || entry_offset(entry_numbered(lines, number)) != offset)
        return 0;
    uint32_t symbol = entry_symbol(entry_numbered(lines, number));
    if (symbol >= lines->door->view->symbol_count)
        return 0;
    lines->left -= !(*slot & is_taken);
    *slot |= is_taken;
    return symbol;
}

void
take_name(struct lines *lines, const struct line_unit *unit)
{
    uint64_t offset = unit->program - sizeof(uint32_t);
    uint32_t number = lines->names ? lines->names[offset / ADDRESS_SIZE] : 0;

    if (number && entry_offset(entry_numbered(lines, number)) == offset)
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
static bool
is_usual_mark(struct bytes said, const struct sequence *sequence)
{
    bool is_begin = sequence->marks % 2 == 0;

    return said.size == 1 && said.at[0] == is_begin &&
           (sequence->marks >= USUAL_MARKS || sequence->marks == sequence->rows);
}

/* It says something of the rows to come. */
static bool
read_extended(const struct lines *lines, struct bytes operation, struct sequence *sequence,
              struct line_row *row)
{
    if (operation.size < CODE_SIZE)
        return false;
    struct bytes said = {operation.at + CODE_SIZE, operation.size - CODE_SIZE};
    if (operation.at[CODE_AT] == INLINED)
        return read_call(said, row) && row->call <= sequence->rows;
    if (operation.at[CODE_AT] != IS_EARLY || !lines->is_mercury || !is_usual_mark(said, sequence))
        return false;
    sequence->marks++;
    return true;
}

/* Is it one that compilers and linkers use? */
static bool
read_usual(const struct lines *lines, const struct line_reader *reader,
           const struct line_operation *operation, struct sequence *sequence, struct line_row *row)
{
    const uint8_t *at = reader->bytes.at + operation->from;
    size_t size = operation->to - operation->from;

    if (operation->address)
        return operation->from == sequence->from &&
               operation->to - operation->address == ADDRESS_SIZE;
    if (*at == EXTENDED)
        return operation->ends_sequence
                   ? size == CODE_SIZE
                   : read_extended(lines, (struct bytes){at, size}, sequence, row);
    row->is_copied = *at == COPY;
    return *at <= SET_FILE || *at >= reader->unit[OPCODE_BASE_AT];
}

static void
add_row(struct lines *lines, struct sequence *sequence, const struct line_row *row)
{
    if (lines->rows.count == lines->rows.capacity)
        array_grow(&lines->rows.at, &lines->rows.capacity, sizeof *row, lines->door->arena);
    struct line_row *copy = &lines->rows.at[lines->rows.count++];
    *copy = *row;
    copy->address = (uint32_t)sequence->end;
    sequence->line = row->line;
    sequence->rows++;
}

static struct sequence
read_any_sequence(struct lines *lines, struct line_reader *reader)
{
    struct sequence sequence = {.from = reader->at};
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

/* ---- sequences as compilers write them ---- */

/* Does it begin with the address of its function? */
static bool
begins_with_address(const struct line_reader *reader)
{
    static const uint8_t begin[CODE_SIZE] = {EXTENDED, 1 + ADDRESS_SIZE, SET_ADDRESS};

    return bytes_hold(reader->bytes, reader->at, CODE_SIZE + ADDRESS_SIZE) &&
           !memcmp(reader->bytes.at + reader->at, begin, sizeof begin);
}

/* An operand of a standard operation: numbers of files have no sign. */
static bool
read_operand(struct line_reader *reader, uint8_t opcode, int64_t *value)
{
    uint64_t bits = reader->bytes.at[reader->at];

    if (bits < 0x40) { /* most are */
        reader->at++;
        *value = (int64_t)bits;
        return true;
    }
    if (opcode != SET_FILE)
        return line_read_signed(reader, value);
    bool is_whole = line_read_number(reader, &bits);
    *value = (int64_t)bits;
    return is_whole;
}

/* What stands behind a 0; false if it is none of those that are inside of a sequence, nor its end. */
static bool
read_code(const struct lines *lines, struct line_reader *reader, struct sequence *sequence,
          struct line_row *row)
{
    uint64_t from = reader->at - 1;
    uint8_t length = reader->bytes.at[reader->at++];

    if (!length || length >= 0x80 || !bytes_hold(reader->bytes, reader->at, length))
        return false;
    struct bytes operation = {reader->bytes.at + from, reader->at + length - from};
    reader->at += length;
    if (operation.at[CODE_AT] == END_SEQUENCE) {
        sequence->to = reader->at;
        return length == 1;
    }
    row->has_inlined |= operation.at[CODE_AT] == INLINED;
    return read_extended(lines, operation, sequence, row);
}

/* One that adds no row. Behind it there is at least one byte. */
static bool
read_other(const struct lines *lines, struct line_reader *reader, uint8_t opcode,
           struct sequence *sequence, struct line_row *row)
{
    int64_t value;

    if (opcode == EXTENDED)
        return read_code(lines, reader, sequence, row);
    if (opcode > SET_FILE || !read_operand(reader, opcode, &value))
        return false;
    if (opcode == ADVANCE_ADDRESS)
        sequence->end += (uint64_t)value;
    else if (opcode == ADVANCE_LINE)
        row->line += value;
    else
        row->file = (uint32_t)value;
    return value >= 0 || opcode == ADVANCE_LINE;
}

/* Where all operations are usual ones, which headers are known to have the usual way: the same as above in
   fewer steps. False if one is not. */
static bool
read_plainly(struct lines *lines, struct line_reader *reader, struct sequence *sequence)
{
    struct line_row row = {0};

    if (!lines->door->view->is_of_known_release || !begins_with_address(reader))
        return false;
    reader->at += CODE_SIZE + ADDRESS_SIZE;
    while (!sequence->to) {
        if (reader->bytes.size - reader->at < 2) /* no operation ends a sequence that is shorter */
            return false;
        uint8_t opcode = reader->bytes.at[reader->at++];
        if (opcode >= USUAL_OPCODE_BASE) {
            sequence->end += (opcode - USUAL_OPCODE_BASE) / USUAL_LINE_RANGE;
            row.line += USUAL_LINE_BASE + (opcode - USUAL_OPCODE_BASE) % USUAL_LINE_RANGE;
            row.is_copied = false;
            add_row(lines, sequence, &row);
        } else if (opcode == COPY) {
            row.is_copied = true;
            add_row(lines, sequence, &row);
        } else if (!read_other(lines, reader, opcode, sequence, &row)) {
            return false;
        }
    }
    return sequence->marks % 2 == 0;
}

struct known_lines *
known_lines_of(const struct lines *lines, uint32_t symbol)
{
    const struct code_map *map = map_of_symbol(lines->door->view, lines->maps, symbol);

    return map && map->known ? &map->known->lines[lines->table] : NULL;
}

/* Are these rows the next, behind the address of a function? */
static bool
pass_rows(struct line_reader *reader, struct bytes rows)
{
    uint64_t from = reader->at + CODE_SIZE + ADDRESS_SIZE;

    if (!rows.size || !bytes_hold(reader->bytes, from, rows.size) ||
        memcmp(reader->bytes.at + from, rows.at, rows.size) != 0)
        return false;
    reader->at = from + rows.size;
    return true;
}

bool
pass_known_sequence(struct lines *lines, struct line_reader *reader, struct sequence *sequence)
{
    if (!begins_with_address(reader))
        return false;
    *sequence = (struct sequence){.from = reader->at};
    sequence->symbol = take_function(lines, sequence->from + CODE_SIZE);
    const struct known_lines *known = known_lines_of(lines, sequence->symbol);
    if (!known || !pass_rows(reader, known->rows.mercury))
        return false;
    sequence->to = reader->at;
    sequence->end = known->end;
    sequence->line = known->line;
    return true;
}

struct sequence
read_sequence(struct lines *lines, struct line_reader *reader)
{
    struct line_reader before = *reader;
    struct sequence sequence = {.from = reader->at};

    lines->rows.count = 0;
    if (read_plainly(lines, reader, &sequence)) {
        sequence.symbol = take_function(lines, sequence.from + CODE_SIZE);
        return sequence;
    }
    *reader = before;
    lines->rows.count = 0;
    return read_any_sequence(lines, reader);
}

struct sequence
skip_sequence(struct lines *lines, struct line_reader *reader)
{
    struct line_reader before = *reader;
    struct sequence sequence = {.from = reader->at};
    uint64_t address;

    if (!lines->door->view->is_of_known_release || !begins_with_address(reader))
        return read_sequence(lines, reader);
    sequence.symbol = take_function(lines, sequence.from + CODE_SIZE);
    const struct known_lines *known = known_lines_of(lines, sequence.symbol);
    if ((known && pass_rows(reader, known->rows.sass)) || line_skip_sequence(reader, &address)) {
        sequence.to = reader->at;
        return sequence;
    }
    *reader = before;
    return read_sequence(lines, reader);
}

struct bytes
behind_address(const struct lines *lines, const struct sequence *sequence)
{
    uint64_t from = sequence->from + CODE_SIZE + ADDRESS_SIZE;

    return from <= sequence->to ? (struct bytes){lines->contents.at + from, sequence->to - from}
                                : (struct bytes){0};
}
