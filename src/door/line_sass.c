#include "door/line_rows.h"

#include "mercury/code_places.h"
#include "mercury/compiler_entries.h"
#include "mercury/line_writer.h"
#include "schedule/instruction.h"

#include <stdlib.h>

/*
 * Rows of SASS, as nvlink makes them from those of mercury; what is in the file counts for nothing. Damage
 * in one view alone would go unseen, where it is copied.
 *
 * Of several rows at one instruction the last counts. A row is written where it says something else than the
 * one before. The rows that one was inlined into are written before it, at its place, when they are needed
 * first, and numbered then: by where they are in mercury, their files and lines. The first row is written in any
 * case, and has no calls; so is the first of each function inside of another. Rows are early up to the first that is
 * not marked and has an operation of its own.
 */
struct call_place {
    uint32_t place, file, row;
    int64_t line;
};

struct maker {
    struct line_table table;
    struct arena *arena;
    const uint8_t *unit;
    struct line_rows rows; /* of mercury; their numbers begin with 1 */
    uint32_t first_late;   /* the last of the early ones: the mark ends there */
    uint32_t *places;      /* per row: of its instruction in SASS */
    uint32_t *same_call;   /* per row that calls: the first at that place with its file and line */
    uint32_t *numbers;     /* ... and for that: which row of SASS it is, 0: it is not there yet */
    ARRAY(struct call_place) calls; /* by places, files, lines */
    ARRAY(uint32_t) missing;        /* calls that are to be written */
    const struct line_row *said;    /* last */

    struct {
        uint32_t place, file, call, rows;
        int64_t line;
        bool is_early;
    } written;
};

static const struct line_row *
row_numbered(const struct maker *maker, uint32_t number)
{
    return &maker->rows.at[number - 1];
}

/* ---- places ---- */

/* What waits for some of several textures stands before the instruction that needs them, and has its line;
   what waits for all that is under way belongs to a fence. */
static bool
waits_for_textures(const uint8_t *at)
{
    enum { LEFT_AT = 38, LEFT_BITS = 6, SCOREBOARD_AT = 44, SCOREBOARD_SIZE = 3 };
    struct instruction instruction = read_instruction(at);

    return opcode_of(&instruction) == OP_DEPBAR &&
           field(instruction.low, LEFT_AT, LEFT_BITS) != 0 &&
           field(instruction.low, SCOREBOARD_AT, SCOREBOARD_SIZE) != 0;
}

/* Padding has the line of the fence behind it, also what is not among the instructions of that. */
static bool
is_padding(const uint8_t *at)
{
    enum { PADDING = 0x984 };
    struct instruction instruction = read_instruction(at);

    return opcode_of(&instruction) == PADDING && is_part_of_fence(instruction);
}

static uint32_t
place_of_line(const struct line_code *code, uint32_t number)
{
    const struct code_place *place = &code->map->places.at[number];
    const struct code_place *before = code_before(code->map, place);
    uint32_t least = before ? before->sass + INSTRUCTION_SIZE : place->sass, at = place->sass;

    while (at > least && at <= code->text.size) {
        const uint8_t *last = code->text.at + at - INSTRUCTION_SIZE;
        if (!waits_for_textures(last) && !is_padding(last))
            break;
        at -= INSTRUCTION_SIZE;
    }
    return at;
}

/* False if one is at no instruction. Only those of a definition that was replaced may be: the next one counts,
   and behind the last one there are none. */
static bool
find_places(struct maker *maker, const struct line_code *code)
{
    uint32_t number = 0, end = code->map->places.count - 1;

    maker->places = arena_array(maker->arena, maker->rows.count, sizeof *maker->places);
    for (uint32_t i = 0; i < maker->rows.count; i++) {
        uint32_t address = maker->rows.at[i].address;

        while (number < end && code->map->places.at[number].mercury < address)
            number++;
        bool is_place = number < end && code->map->places.at[number].mercury == address;
        if (!is_place && !code->may_be_replaced)
            return false;
        if (number == end)
            maker->rows.count = i;
        else
            maker->places[i] = place_of_line(code, number);
    }
    return maker->rows.count > 0;
}

/* ---- rows that others were inlined into ---- */

static int
compare_calls(const void *a, const void *b)
{
    const struct call_place *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static void
find_calls(struct maker *maker)
{
    uint32_t count = maker->rows.count + 1;

    maker->same_call = arena_array(maker->arena, count, sizeof *maker->same_call);
    maker->numbers = arena_array(maker->arena, count, sizeof *maker->numbers);
    for (uint32_t i = 0; i < maker->rows.count; i++) {
        uint32_t call = maker->rows.at[i].call;
        if (!call || maker->same_call[call])
            continue;
        const struct line_row *row = row_numbered(maker, call);
        maker->same_call[call] = call;
        array_push(&maker->calls, maker->arena,
                   ((struct call_place){maker->places[call - 1], row->file, call, row->line}));
    }
    if (maker->calls.count < 2)
        return;
    qsort(maker->calls.at, maker->calls.count, sizeof *maker->calls.at, compare_calls);
    for (uint32_t i = 1; i < maker->calls.count; i++) {
        const struct call_place *call = &maker->calls.at[i];
        if (!compare_calls(call - 1, call))
            maker->same_call[call->row] = maker->same_call[call[-1].row];
    }
}

static uint32_t
number_of_call(const struct maker *maker, uint32_t row)
{
    return row ? maker->numbers[maker->same_call[row]] : 0;
}

static void
number_call(struct maker *maker, uint32_t row)
{
    if (!number_of_call(maker, row))
        maker->numbers[maker->same_call[row]] = maker->written.rows;
}

/* Rows that inline nothing anew are taken for those at the begin of the function. */
static void
number_first_call(struct maker *maker, const struct line_row *row)
{
    struct call_place begin = {0, row->file, 0, row->line};
    const struct call_place *call =
        maker->calls.count && !maker->calls.at[0].place
            ? bsearch(&begin, maker->calls.at, maker->calls.count, sizeof begin, compare_calls)
            : NULL;

    if (call)
        number_call(maker, call->row);
}

/* ---- writing ---- */

/* The file of a row that is written because it calls goes with the call that it was inlined into. */
static void
put_head(struct maker *maker, const struct line_row *row, bool is_call)
{
    bool is_of_other = row->call != maker->written.call;

    if (row->file != maker->written.file && (is_of_other || !is_call))
        line_put_file(&maker->table, maker->arena, row->file);
    if (is_of_other)
        line_put_call(&maker->table, maker->arena, number_of_call(maker, row->call), row->name);
    maker->written.file = row->file;
    maker->written.call = row->call;
}

static bool
put_row(struct maker *maker, const struct line_row *row, uint32_t place)
{
    uint32_t advance = place - maker->written.place;
    int64_t lines = row->line - maker->written.line;

    maker->written.place = place;
    maker->written.line = row->line;
    maker->written.rows++;
    return line_put_row(&maker->table, maker->arena, maker->unit, advance, lines);
}

static bool
is_written(const struct maker *maker, const struct line_row *row, uint32_t place)
{
    return place == maker->written.place && row->line == maker->written.line;
}

/* The calls that a row was inlined by, the outermost first; false if they are there. */
static bool
put_calls(struct maker *maker, uint32_t call, uint32_t place)
{
    maker->missing.count = 0;
    for (; call && !number_of_call(maker, call); call = row_numbered(maker, call)->call)
        array_push(&maker->missing, maker->arena, call);
    for (uint32_t i = maker->missing.count; i-- > 0;) {
        const struct line_row *row = row_numbered(maker, maker->missing.at[i]);

        put_head(maker, row, true);
        if (!is_written(maker, row, place))
            put_row(maker, row, place);
        number_call(maker, maker->missing.at[i]);
    }
    return maker->missing.count > 0;
}

static bool
says_same(const struct line_row *one, const struct line_row *other)
{
    return one->file == other->file && one->line == other->line && one->call == other->call &&
           one->name == other->name;
}

/* Of the row where the mark ends only the place is written, if it is of the same line; at the same place it is
   written once more, and not counted. */
static void
put_line(struct maker *maker, const struct line_row *row, uint32_t place, bool ends_mark,
         bool is_early)
{
    bool has_call = row->call == maker->written.call;

    if (!says_same(row, maker->said))
        put_head(maker, row, false);
    maker->said = row;
    if (is_written(maker, row, place)) {
        if (ends_mark || is_early != maker->written.is_early)
            line_put_row(&maker->table, maker->arena, maker->unit, 0, 0);
    } else if (ends_mark && row->line == maker->written.line) {
        line_put_advance(&maker->table, maker->arena, place - maker->written.place);
        maker->written.place = place;
        return;
    } else if (put_row(maker, row, place) && has_call) {
        number_first_call(maker, row);
    }
    maker->written.is_early = is_early;
}

static void
put_instruction(struct maker *maker, uint32_t number)
{
    const struct line_row *row = row_numbered(maker, number);
    uint32_t place = maker->places[number - 1];
    bool ends_mark = number == maker->first_late, is_early = number <= maker->first_late;

    if (says_same(row, maker->said) && is_early == maker->written.is_early && !ends_mark)
        return;
    if (!says_same(row, maker->said) && put_calls(maker, row->call, place)) {
        maker->written.is_early = is_early;
        ends_mark = false;
    }
    put_line(maker, row, place, ends_mark, is_early);
}

/* Is it the last row of its instruction? */
static bool
is_last_of_place(const struct maker *maker, uint32_t number)
{
    return number == maker->rows.count || maker->places[number] != maker->places[number - 1];
}

static void
put_first(struct maker *maker)
{
    uint32_t number = 1;

    while (!is_last_of_place(maker, number))
        number++;
    maker->said = row_numbered(maker, number);
    maker->written.file = maker->said->file;
    maker->written.is_early = true;
    line_put_file(&maker->table, maker->arena, maker->said->file);
    maker->written.place = maker->places[number - 1];
    if (maker->written.place) /* of a function inside: the kernel itself has no lines */
        line_put_advance(&maker->table, maker->arena, maker->written.place);
    put_row(maker, maker->said, maker->written.place);
    number_first_call(maker, maker->said);
}

/* What begins a function inside this one is written as early, and then as what it is. */
static void
put_begin(struct maker *maker, uint32_t number)
{
    const struct line_row *row = row_numbered(maker, number);

    put_head(maker, row, false);
    put_row(maker, row, maker->places[number - 1]);
    maker->said = row;
    maker->written.is_early = true;
}

/* Does a function inside this one begin there? Asked for ascending places. */
static bool
begins_inner(const struct inner_functions *inner, uint32_t *next, uint32_t address)
{
    while (*next < inner->count && inner->at[*next].place < address)
        ++*next;
    return *next < inner->count && inner->at[*next].place == address;
}

/* The second row, or a later one; 0: none is early. */
static uint32_t
end_of_mark(struct line_rows rows)
{
    for (uint32_t i = 1; rows.has_early && i < rows.count; i++)
        if (rows.at[i].is_copied)
            return i + 1;
    return rows.has_early ? UINT32_MAX : 0;
}

/* False if there is none. */
static bool
make_sequence(struct maker *maker, const struct line_code *code)
{
    if (!maker->rows.count || !find_places(maker, code))
        return false;
    uint32_t next_inner = 0;
    find_calls(maker);
    put_first(maker);
    for (uint32_t i = 1; i <= maker->rows.count; i++) {
        if (!is_last_of_place(maker, i))
            continue;
        if (begins_inner(&code->inner, &next_inner, row_numbered(maker, i)->address) &&
            row_numbered(maker, i) != maker->said)
            put_begin(maker, i);
        put_instruction(maker, i);
    }
    line_put_advance(&maker->table, maker->arena, code->text.size - maker->written.place);
    line_put_end(&maker->table, maker->arena);
    return true;
}

bool
is_made_of_rows(struct bytes sass, struct line_rows mercury, const struct line_code *code,
                const uint8_t *unit, struct arena *scratch, int64_t *last_line)
{
    struct arena_mark before = arena_mark(scratch);
    struct maker maker = {
        .arena = scratch, .unit = unit, .rows = mercury, .first_late = end_of_mark(mercury)};

    bool is_made = make_sequence(&maker, code) &&
                   bytes_equal(sass, (struct bytes){maker.table.bytes.at, maker.table.bytes.count});
    *last_line = maker.written.line;
    arena_release(scratch, before);
    return is_made;
}
