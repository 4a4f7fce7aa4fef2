#include "relocate/field.h"

/* Most fields are words of whole bytes. */
static bool
is_word(uint64_t room, unsigned bit, unsigned width)
{
    return bit % 8 == 0 && (width == 64 || width == 32) && (bit + width) / 8 <= room;
}

/* Bits [bit, bit + width) of the little-endian bytes at `at`, width at most 64. */
static uint64_t
read_bits(const uint8_t *at, uint64_t room, unsigned bit, unsigned width)
{
    uint64_t value = 0;

    if (is_word(room, bit, width))
        return width == 64 ? read_u64(at + bit / 8) : read_u32(at + bit / 8);
    for (unsigned done = 0; done < width;) {
        unsigned in_byte = (bit + done) % 8;
        unsigned take = 8 - in_byte < width - done ? 8 - in_byte : width - done;
        uint64_t byte = (bit + done) / 8 < room ? at[(bit + done) / 8] : 0;

        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): 8 at most */
        value |= (byte >> in_byte & ((1u << take) - 1)) << done;
        done += take;
    }
    return value;
}

static void
write_bits(uint8_t *at, uint64_t room, unsigned bit, unsigned width, uint64_t value)
{
    if (is_word(room, bit, width)) {
        if (width == 64)
            write_u64(at + bit / 8, value);
        else
            write_u32(at + bit / 8, (uint32_t)value);
        return;
    }
    for (unsigned done = 0; done < width;) {
        unsigned in_byte = (bit + done) % 8;
        unsigned take = 8 - in_byte < width - done ? 8 - in_byte : width - done;
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): 8 at most */
        unsigned mask = ((1u << take) - 1) << in_byte;

        if ((bit + done) / 8 < room) {
            uint8_t *byte = &at[(bit + done) / 8];
            *byte = (uint8_t)((*byte & ~mask) | ((unsigned)(value >> done) << in_byte & mask));
        }
        done += take;
    }
}

static uint64_t
field_value(const struct reloc_field *field, const struct reloc_value *value, bool use_old,
            uint64_t old)
{
    uint64_t base;

    switch (field->source) {
    case FIELD_BANK:
        base = value->bank >> field->shift;
        break;
    case FIELD_SLOT:
        base = value->slot + (use_old ? 0 : value->addend);
        break;
    case FIELD_BYTE:
        /* Here the old bits are added before the byte is cut out. */
        return (value->symbol + (use_old ? old : value->addend)) >> field->shift;
    case FIELD_ZERO:
        return 0;
    default:
        base = (value->symbol + (use_old ? 0 : value->addend)) >> field->shift;
    }
    return base + (use_old ? old : 0);
}

void
fields_write(const struct reloc_kind *kind, const struct reloc_value *value, bool use_old,
             uint8_t *at, uint64_t room)
{
    for (int i = 0; i < RELOC_MAX_FIELDS && kind->fields[i].width; i++) {
        const struct reloc_field *field = &kind->fields[i];
        uint64_t old = use_old ? read_bits(at, room, field->bit, field->width) : 0;

        if (field->source == FIELD_KEPT)
            continue;
        write_bits(at, room, field->bit, field->width, field_value(field, value, use_old, old));
    }
}

void
fields_clear(const struct reloc_kind *kind, uint8_t *at, uint64_t room)
{
    for (int i = 0; i < RELOC_MAX_FIELDS && kind->fields[i].width; i++)
        if (kind->fields[i].source != FIELD_KEPT)
            write_bits(at, room, kind->fields[i].bit, kind->fields[i].width, 0);
}

uint64_t
fields_read(const struct reloc_kind *kind, int most, const uint8_t *at, uint64_t room)
{
    uint64_t sum = 0;

    for (int i = 0; i < most && kind->fields[i].width; i++)
        sum += read_bits(at, room, kind->fields[i].bit, kind->fields[i].width);
    return sum;
}
