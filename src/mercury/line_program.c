#include "mercury/line_program.h"

#include "mercury/line_opcodes.h"

bool
line_unit_read(struct line_unit *unit, struct bytes section, uint64_t at)
{
    *unit = (struct line_unit){.from = at};
    if (!bytes_hold(section, at, OPCODE_LENGTHS_AT))
        return false;
    unit->to = at + UNIT_LENGTH + read_u32(section.at + at);
    unit->program = at + HEADER_AT + read_u32(section.at + at + HEADER_LENGTH_AT);
    return unit->to <= section.size && unit->program <= unit->to &&
           unit->program >= at + OPCODE_LENGTHS_AT + section.at[at + OPCODE_BASE_AT];
}

struct line_reader
line_unit_open(struct bytes section, const struct line_unit *unit)
{
    return (struct line_reader){section.at + unit->from, {section.at, unit->to}, unit->program};
}

/* False at the end of damaged bytes. `*sign` has the bits above the value, if it is a negative
   number. */
static bool
read_leb(struct line_reader *reader, uint64_t *value, uint64_t *sign)
{
    *value = 0;
    for (unsigned shift = 0; reader->at < reader->bytes.size; shift += 7) {
        uint8_t byte = reader->bytes.at[reader->at++];
        if (shift < 64)
            *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *sign = byte & 0x40 && shift + 7 < 64 ? UINT64_MAX << (shift + 7) : 0;
            return true;
        }
    }
    return false;
}

bool
line_read_number(struct line_reader *reader, uint64_t *value)
{
    uint64_t sign;

    return read_leb(reader, value, &sign);
}

bool
line_read_signed(struct line_reader *reader, int64_t *value)
{
    uint64_t bits, sign;
    bool is_whole = read_leb(reader, &bits, &sign);

    if (is_whole)
        *value = (int64_t)(bits | sign);
    return is_whole;
}

static bool
read_extended(struct line_reader *reader, struct line_operation *operation)
{
    uint64_t length, sign;

    if (!read_leb(reader, &length, &sign) || !length || length > reader->bytes.size - reader->at)
        return false;
    uint8_t code = reader->bytes.at[reader->at];
    if (code == SET_ADDRESS)
        operation->address = reader->at + 1;
    operation->ends_sequence = code == END_SEQUENCE;
    operation->is_inlined = code == INLINED;
    reader->at += length;
    return true;
}

static void
read_special(const uint8_t *unit, uint8_t opcode, struct line_operation *operation)
{
    unsigned above = opcode - unit[OPCODE_BASE_AT], range = unit[LINE_RANGE_AT];

    if (!range)
        return;
    operation->advance = (uint64_t)(above / range) * unit[LEAST_ADVANCE_AT];
    operation->lines = (int8_t)unit[LINE_BASE_AT] + (int64_t)(above % range);
}

static bool
read_standard(struct line_reader *reader, uint8_t opcode, struct line_operation *operation)
{
    uint64_t value = 0, sign = 0;

    if (opcode == FIXED_ADVANCE) {
        if (!bytes_hold(reader->bytes, reader->at, sizeof(uint16_t)))
            return false;
        operation->advance = read_u16(reader->bytes.at + reader->at);
        reader->at += sizeof(uint16_t);
    } else {
        for (unsigned i = reader->unit[OPCODE_LENGTHS_AT + opcode - 1]; i > 0; i--)
            if (!read_leb(reader, &value, &sign))
                return false;
    }
    if (opcode == ADVANCE_ADDRESS)
        operation->advance = value * reader->unit[LEAST_ADVANCE_AT];
    else if (opcode == ADVANCE_LINE)
        operation->lines = (int64_t)(value | sign);
    else if (opcode == ADVANCE_AS_LAST)
        read_special(reader->unit, LAST_SPECIAL, operation);
    if (opcode == ADVANCE_AS_LAST)
        operation->lines = 0;
    operation->adds_row = opcode == COPY;
    operation->sets_file = opcode == SET_FILE;
    operation->file = value;
    operation->only_advances = opcode == ADVANCE_ADDRESS || opcode == ADVANCE_LINE ||
                               opcode == ADVANCE_AS_LAST || opcode == FIXED_ADVANCE;
    return true;
}

bool
line_next(struct line_reader *reader, struct line_operation *operation)
{
    bool is_sound = true;

    *operation = (struct line_operation){.from = reader->at};
    uint8_t opcode = reader->bytes.at[reader->at++];
    if (opcode == EXTENDED) {
        is_sound = read_extended(reader, operation);
    } else if (opcode >= reader->unit[OPCODE_BASE_AT]) {
        operation->adds_row = true;
        read_special(reader->unit, opcode, operation);
    } else {
        is_sound = read_standard(reader, opcode, operation);
    }
    operation->to = reader->at;
    return is_sound;
}

/* Behind the numbers that an opcode has; NULL at the end of damaged bytes. */
static const uint8_t *
skip_numbers(const uint8_t *at, const uint8_t *end, unsigned count)
{
    while (count > 0 && at < end)
        count -= *at++ < 0x80;
    return count == 0 ? at : NULL;
}

bool
line_skip_sequence(struct line_reader *reader, uint64_t *address)
{
    const uint8_t *lengths = reader->unit + OPCODE_LENGTHS_AT - 1;
    const uint8_t *at = reader->bytes.at + reader->at, *end = reader->bytes.at + reader->bytes.size;
    uint8_t base = reader->unit[OPCODE_BASE_AT];
    struct line_operation operation = {0};

    while (at && at < end) {
        uint8_t opcode = *at++;

        if (opcode >= base || opcode == COPY)
            continue;
        if (opcode == FIXED_ADVANCE) {
            at += end - at < (ptrdiff_t)sizeof(uint16_t) ? end - at : (ptrdiff_t)sizeof(uint16_t);
        } else if (opcode != EXTENDED) {
            if (lengths[opcode] == 1 && at < end && *at < 0x80)
                at++; /* most are so */
            else
                at = skip_numbers(at, end, lengths[opcode]);
        } else {
            reader->at = (uint64_t)(at - reader->bytes.at);
            if (!read_extended(reader, &operation))
                return false;
            if (operation.ends_sequence) {
                *address = operation.address;
                return true;
            }
            at = reader->bytes.at + reader->at;
        }
    }
    return false;
}

/* ---- writing ---- */

static void
copy_bytes(struct line_table *table, struct arena *arena, struct bytes bytes, uint64_t from,
           uint64_t to)
{
    array_push(&table->kept, arena, ((struct kept_bytes){from, to, table->bytes.count}));
    for (uint64_t i = from; i < to; i++)
        array_push(&table->bytes, arena, bytes.at[i]);
}

/* ---- a sequence with other addresses ---- */

struct rewriter {
    struct line_table *table;
    struct arena *arena;
    struct line_reader reader;
    struct line_places places;
    uint64_t address; /* old, behind what was read */
    uint64_t written; /* new, of the last row that was written */
    int64_t lines;    /* advance since that row */
};

static uint64_t
new_place(const struct rewriter *rewriter, uint64_t address)
{
    return rewriter->places.move(rewriter->places.how, address);
}

/* False at the end of the sequence. */
static bool
read_operation(struct rewriter *rewriter, struct line_operation *operation)
{
    if (operation->ends_sequence || !line_next(&rewriter->reader, operation))
        return false;
    rewriter->address += operation->advance;
    rewriter->lines += operation->lines;
    return true;
}

static void
put_moved_row(struct rewriter *rewriter)
{
    uint64_t place = new_place(rewriter, rewriter->address);

    line_put_row(rewriter->table, rewriter->arena, rewriter->reader.unit, place - rewriter->written,
                 rewriter->lines);
    rewriter->written = place;
    rewriter->lines = 0;
}

/* What neither advances nor is a row stays as it is; the end of all stands at its new address. */
static void
keep_operation(struct rewriter *rewriter, const struct line_operation *operation)
{
    if (operation->ends_sequence) {
        uint64_t end = new_place(rewriter, rewriter->address);
        line_put_advance(rewriter->table, rewriter->arena,
                         end == UINT64_MAX ? 0 : end - rewriter->written);
    }
    copy_bytes(rewriter->table, rewriter->arena, rewriter->reader.bytes, operation->from,
               operation->to);
}

/* Is what was read last the place of an early row that was left out? An advance of the address that neither
   a row nor the end has behind it is. */
static bool
is_place_alone(const struct rewriter *rewriter, const struct line_operation *operation)
{
    struct line_reader reader = rewriter->reader;
    struct line_operation next;

    return operation->advance && operation->only_advances && reader.at < reader.bytes.size &&
           reader.bytes.at[reader.at] != COPY && line_next(&reader, &next) && !next.ends_sequence;
}

static void
put_place(struct rewriter *rewriter)
{
    uint64_t place = new_place(rewriter, rewriter->address);

    line_put_advance(rewriter->table, rewriter->arena, place - rewriter->written);
    rewriter->written = place;
}

void
line_table_move(struct line_table *table, struct arena *arena, struct line_reader reader,
                struct line_places places)
{
    struct rewriter rewriter = {table, arena, reader, places, 0, 0, 0};
    struct line_operation operation = {0};

    while (read_operation(&rewriter, &operation)) {
        if (operation.adds_row)
            put_moved_row(&rewriter);
        else if (is_place_alone(&rewriter, &operation))
            put_place(&rewriter);
        else if (!operation.only_advances)
            keep_operation(&rewriter, &operation);
    }
}

/* The address of the next row, UINT64_MAX: there is none. */
static uint64_t
next_row(struct line_reader reader, uint64_t address)
{
    struct line_operation operation = {0};

    while (!operation.ends_sequence && line_next(&reader, &operation)) {
        address += operation.advance;
        if (operation.adds_row)
            return address;
    }
    return UINT64_MAX;
}

/* Is the row that was read last in the new table? */
static bool
row_stays(const struct rewriter *rewriter)
{
    uint64_t place = new_place(rewriter, rewriter->address);
    uint64_t next = next_row(rewriter->reader, rewriter->address);

    return place != UINT64_MAX &&
           (next == UINT64_MAX || next == rewriter->address || new_place(rewriter, next) != place);
}

uint32_t
line_early_rows(struct line_reader reader)
{
    struct line_operation operation = {0};
    uint32_t rows = 0, copies = 0;

    while (!operation.ends_sequence && reader.at < reader.bytes.size &&
           line_next(&reader, &operation)) {
        rows += operation.adds_row;
        copies += reader.bytes.at[operation.from] == COPY;
        if (copies == 2)
            return rows;
    }
    return UINT32_MAX;
}

/* Rows of a sequence whose places come together. */
struct replaced_rows {
    uint32_t early;
    uint32_t read, written;                   /* the numbers of the last ones, from 1 on */
    struct line_operation file, written_file; /* of the next row, and of the last one written */
};

static bool
is_same_file(struct bytes bytes, const struct replaced_rows *rows)
{
    const struct line_operation *file = &rows->file, *written = &rows->written_file;
    size_t size = file->to - file->from;

    return written->to - written->from == size &&
           memcmp(bytes.at + file->from, bytes.at + written->from, size) == 0;
}

static void
put_replaced_row(struct rewriter *rewriter, struct replaced_rows *rows)
{
    struct bytes bytes = rewriter->reader.bytes;

    if (!is_same_file(bytes, rows))
        copy_bytes(rewriter->table, rewriter->arena, bytes, rows->file.from, rows->file.to);
    rows->written_file = rows->file;
    rows->written = rows->read;
    put_moved_row(rewriter);
}

/* Of a row that says what the last one written says, both early, only the place is written; if both are
   late, nothing is. */
static void
add_replaced_row(struct rewriter *rewriter, struct replaced_rows *rows)
{
    uint64_t place = new_place(rewriter, rewriter->address);
    bool is_same = rows->written && place != rewriter->written && !rewriter->lines &&
                   is_same_file(rewriter->reader.bytes, rows);

    if (is_same && rows->read <= rows->early)
        put_place(rewriter);
    else if (!is_same || rows->written <= rows->early)
        put_replaced_row(rewriter, rows);
}

void
line_table_replace(struct line_table *table, struct arena *arena, struct line_reader reader,
                   struct line_places places, uint32_t early_rows)
{
    struct rewriter rewriter = {table, arena, reader, places, 0, 0, 0};
    struct replaced_rows rows = {.early = early_rows};
    struct line_operation operation = {0};

    while (read_operation(&rewriter, &operation)) {
        if (operation.sets_file) {
            rows.file = operation;
        } else if (operation.adds_row) {
            rows.read++;
            if (row_stays(&rewriter))
                add_replaced_row(&rewriter, &rows);
        } else if (!operation.only_advances) {
            keep_operation(&rewriter, &operation);
        }
    }
}
