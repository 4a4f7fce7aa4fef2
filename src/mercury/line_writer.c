#include "mercury/line_writer.h"

#include "mercury/line_opcodes.h"
#include "mercury/line_program.h"

/* No operation is longer, nor a row: three codes and two numbers of 64 bits. */
enum { MOST_BYTES = 32 };

/* Where the next operation begins, with room for it. */
static uint8_t *
begin(struct line_table *table, struct arena *arena)
{
    while (table->bytes.capacity - table->bytes.count < MOST_BYTES)
        array_grow(&table->bytes.at, &table->bytes.capacity, 1, arena);
    return table->bytes.at + table->bytes.count;
}

static void
end(struct line_table *table, const uint8_t *at)
{
    table->bytes.count = (uint32_t)(at - table->bytes.at);
}

/* Compilers write advances as signed numbers, those of addresses, too. */
static uint8_t *
put_number(uint8_t *at, int64_t value)
{
    while (value < -0x40 || value >= 0x40) {
        uint8_t low = value & 0x7f;
        value = (value - low) / 0x80;
        *at++ = low | 0x80;
    }
    *at++ = value & 0x7f;
    return at;
}

static uint8_t *
put_advance(uint8_t *at, uint64_t advance)
{
    *at++ = ADVANCE_ADDRESS;
    return put_number(at, (int64_t)advance);
}

void
line_put_advance(struct line_table *table, struct arena *arena, uint64_t advance)
{
    if (advance)
        end(table, put_advance(begin(table, arena), advance));
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
    uint8_t *at = begin(table, arena);

    if (special) {
        *at++ = special;
        end(table, at);
        return false;
    }
    if (lines || !advance) {
        *at++ = ADVANCE_LINE;
        at = put_number(at, lines);
    }
    if (advance)
        at = put_advance(at, advance);
    *at++ = COPY;
    end(table, at);
    return true;
}

/* Numbers of files and operands of NVIDIA's operations are unsigned. */
static uint8_t *
put_unsigned(uint8_t *at, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

void
line_put_file(struct line_table *table, struct arena *arena, uint32_t file)
{
    uint8_t *at = begin(table, arena);

    *at++ = SET_FILE;
    end(table, put_unsigned(at, file));
}

void
line_put_call(struct line_table *table, struct arena *arena, uint32_t row, uint32_t name)
{
    uint8_t *at = begin(table, arena), *length = at + 1;

    *at = EXTENDED;
    length[1] = INLINED;
    at = put_unsigned(put_unsigned(length + 2, row), name);
    *length = (uint8_t)(at - length - 1);
    end(table, at);
}

void
line_put_end(struct line_table *table, struct arena *arena)
{
    static const uint8_t code[] = {EXTENDED, 1, END_SEQUENCE};

    end(table, (uint8_t *)memcpy(begin(table, arena), code, sizeof code) + sizeof code);
}
