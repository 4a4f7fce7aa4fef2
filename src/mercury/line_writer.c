#include "mercury/line_writer.h"

#include "mercury/line_opcodes.h"
#include "mercury/line_program.h"

static void
put(struct line_table *table, struct arena *arena, uint8_t byte)
{
    array_push(&table->bytes, arena, byte);
}

/* Compilers write all numbers of standard operations as signed ones. */
static void
put_number(struct line_table *table, struct arena *arena, int64_t value)
{
    for (;;) {
        uint8_t low = value & 0x7f;
        value = (value - low) / 0x80;
        if ((value == 0 && !(low & 0x40)) || (value == -1 && low & 0x40)) {
            put(table, arena, low);
            return;
        }
        put(table, arena, low | 0x80);
    }
}

void
line_put_advance(struct line_table *table, struct arena *arena, uint64_t advance)
{
    if (!advance)
        return;
    put(table, arena, ADVANCE_ADDRESS);
    put_number(table, arena, (int64_t)advance);
}

/* The special opcode for these advances; 0: there is none. Compilers do not use those that leave the
   line as it is. */
static uint8_t
special_opcode(const uint8_t *unit, uint64_t advance, int64_t lines)
{
    int64_t above = lines - (int8_t)unit[LINE_BASE_AT];
    unsigned range = unit[LINE_RANGE_AT];

    if (!lines || !advance || advance > LAST_SPECIAL || above < 0 || above >= range)
        return 0;
    uint64_t opcode = unit[OPCODE_BASE_AT] + (uint64_t)above + advance * range;
    return opcode <= LAST_SPECIAL ? (uint8_t)opcode : 0;
}

bool
line_put_row(struct line_table *table, struct arena *arena, const uint8_t *unit, uint64_t advance,
             int64_t lines)
{
    uint8_t special = special_opcode(unit, advance, lines);

    if (special) {
        put(table, arena, special);
        return false;
    }
    if (lines || !advance) {
        put(table, arena, ADVANCE_LINE);
        put_number(table, arena, lines);
    }
    line_put_advance(table, arena, advance);
    put(table, arena, COPY);
    return true;
}

void
line_put_file(struct line_table *table, struct arena *arena, uint32_t file)
{
    put(table, arena, SET_FILE);
    put_number(table, arena, file);
}

/* Operands of NVIDIA's operations are unsigned. */
static void
put_unsigned(struct line_table *table, struct arena *arena, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        put(table, arena, (uint8_t)(value | 0x80));
    put(table, arena, (uint8_t)value);
}

void
line_put_call(struct line_table *table, struct arena *arena, uint32_t row, uint32_t name)
{
    put(table, arena, EXTENDED);
    uint32_t length_at = table->bytes.count;
    put(table, arena, 0);
    put(table, arena, INLINED);
    put_unsigned(table, arena, row);
    put_unsigned(table, arena, name);
    table->bytes.at[length_at] = (uint8_t)(table->bytes.count - length_at - 1);
}

void
line_put_end(struct line_table *table, struct arena *arena)
{
    put(table, arena, EXTENDED);
    put(table, arena, 1);
    put(table, arena, END_SEQUENCE);
}
