#include "mercury/old_capsule.h"

#include "mercury/capsule.h"

#include <stdlib.h>

enum { OLD_COUNT_AT = 4, OLD_BITMAP_AT = 8, OPCODE_MASK = 0xfff };

#define OLD_MARK 0x40000000u /* beside the count of entries */
#define OLD_MARKS 0xc0000000u

/* An instruction of SASS and the record of 4 bytes that says what it is in mercury. */
struct change {
    uint16_t opcode;
    uint32_t record;
    uint32_t mask, value; /* of bits 64 to 95 of the instruction: only where they are these */
};

/* 12.8 had a record where none is needed today, */
static const struct change implied_today[] = {
    {0x20a, 0x0a081a41, 0, 0}, {0x20b, 0x26121042, 0, 0}, {0x22a, 0x260c1042, 0, 0},
    {0x246, 0x04004241, 0, 0}, {0x306, 0x0a481241, 0, 0}, {0x306, 0x0a401241, 0xf000, 0x9000},
    {0x310, 0x0a941241, 0, 0}, {0x312, 0x0ab81241, 0, 0}, {0x312, 0x0abc1241, 0, 0},
    {0x312, 0x0ac01241, 0, 0}, {0x446, 0x06024242, 0, 0}, {0x80b, 0x32101042, 0, 0},
    {0x846, 0x06064242, 0, 0}, {0x941, 0x0a000941, 0, 0}, {0x941, 0x0a040941, 0, 0},
    {0x944, 0x0e0a0a42, 0, 0}, {0x945, 0x06000842, 0, 0}, {0x945, 0x0c040841, 0, 0},
    {0x958, 0x0e060742, 0, 0}, {0x984, 0x063a2242, 0, 0}, {0xe2a, 0x260e1042, 0, 0},
};

/* and none where one is: calls, returns, sums of products. */
static const struct change implied_then[] = {
    {0x943, 0x0e020a42, 0, 0},
    {0x950, 0x0e003342, 0, 0},
    {0xc26, 0x04021e41, 0, 0},
};

/* Opcodes that imply today what they implied then, ascending. Of others it is not known. */
static const uint16_t always_implied[] = {
    0x202, 0x207, 0x208, 0x209, 0x20b, 0x20c, 0x210, 0x211, 0x212, 0x213, 0x215, 0x216, 0x219,
    0x21a, 0x21f, 0x220, 0x221, 0x223, 0x224, 0x225, 0x226, 0x227, 0x228, 0x229, 0x22a, 0x22b,
    0x230, 0x231, 0x232, 0x233, 0x234, 0x238, 0x23a, 0x23e, 0x240, 0x245, 0x246, 0x248, 0x276,
    0x287, 0x28c, 0x290, 0x291, 0x296, 0x299, 0x2a4, 0x2a5, 0x2bd, 0x2bf, 0x2ca, 0x300, 0x301,
    0x302, 0x305, 0x306, 0x307, 0x308, 0x309, 0x310, 0x311, 0x312, 0x313, 0x343, 0x381, 0x388,
    0x3a1, 0x3aa, 0x3c4, 0x416, 0x421, 0x423, 0x424, 0x430, 0x431, 0x433, 0x446, 0x4a4, 0x547,
    0x589, 0x802, 0x803, 0x804, 0x806, 0x807, 0x808, 0x809, 0x80b, 0x80c, 0x810, 0x811, 0x812,
    0x816, 0x819, 0x81a, 0x81c, 0x820, 0x823, 0x824, 0x825, 0x827, 0x831, 0x836, 0x83b, 0x846,
    0x848, 0x882, 0x883, 0x886, 0x887, 0x88c, 0x890, 0x891, 0x892, 0x896, 0x899, 0x8a4, 0x8a5,
    0x902, 0x908, 0x918, 0x941, 0x942, 0x945, 0x946, 0x947, 0x949, 0x94d, 0x95c, 0x95d, 0x981,
    0x984, 0x987, 0x988, 0x989, 0x9af, 0xc02, 0xc07, 0xc08, 0xc0a, 0xc0b, 0xc0c, 0xc10, 0xc11,
    0xc12, 0xc13, 0xc19, 0xc20, 0xc23, 0xc24, 0xc25, 0xc27, 0xc28, 0xc2b, 0xc36, 0xc45, 0xc46,
    0xc48, 0xc82, 0xd00, 0xd05, 0xd06, 0xd08, 0xd09, 0xd10, 0xd12, 0xe21, 0xe23, 0xe24, 0xe25,
    0xe29, 0xe2a, 0xe2b, 0xe46, 0xf89,
};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

bool
is_old_capsule(struct bytes capsule)
{
    return capsule.size >= OLD_BITMAP_AT &&
           (read_u32(capsule.at + OLD_COUNT_AT) & OLD_MARKS) == OLD_MARK;
}

static const struct change *
find_change(const struct change *changes, size_t count, const uint8_t *instruction, uint32_t record)
{
    for (size_t i = 0; i < count; i++)
        if ((read_u16(instruction) & OPCODE_MASK) == changes[i].opcode &&
            (!record || record == changes[i].record) &&
            (read_u32(instruction + 8) & changes[i].mask) == changes[i].value)
            return &changes[i];
    return NULL;
}

static int
compare_opcodes(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

static bool
is_always_implied(const uint8_t *instruction)
{
    uint16_t opcode = read_u16(instruction) & OPCODE_MASK;

    return bsearch(&opcode, always_implied, COUNT_OF(always_implied), sizeof opcode,
                   compare_opcodes) != NULL;
}

/* The same entries under a header of today. */
static struct bytes
renew_header(struct arena *arena, struct bytes old)
{
    size_t entries = old.size - OLD_BITMAP_AT;
    uint8_t *capsule = arena_alloc(arena, CAPSULE_BITMAP_AT + entries);

    capsule_set_header(capsule, read_u32(old.at), read_u32(old.at + OLD_COUNT_AT) & ~OLD_MARKS);
    if (entries)
        memcpy(capsule + CAPSULE_BITMAP_AT, old.at + OLD_BITMAP_AT, entries);
    return (struct bytes){capsule, CAPSULE_BITMAP_AT + entries};
}

/* Writes one entry; false if it is not known what it was. */
static bool
renew_entry(struct capsule_writer *writer, const struct capsule_entry *entry,
            const uint8_t *instruction)
{
    const uint8_t *record = writer->from.at + entry->record;

    if (entry->record && !entry->prefix && entry->size == sizeof(uint32_t) &&
        find_change(implied_today, COUNT_OF(implied_today), instruction, read_u32(record))) {
        capsule_put_implied(writer);
        return true;
    }
    if (entry->record || is_always_implied(instruction))
        return capsule_put(writer, entry, entry->count);
    const struct change *change = find_change(implied_then, COUNT_OF(implied_then), instruction, 0);
    if (change)
        capsule_put_short(writer, change->record);
    return change;
}

bool
update_capsule(struct arena *arena, struct bytes text, struct bytes *capsule)
{
    struct bytes old = renew_header(arena, *capsule);
    struct capsule_place place;
    struct capsule_entry entry;

    if (capsule_check(old, (struct bytes){NULL, text.size}, TEXT_OF_ANY, &place, NULL))
        return true;
    size_t instructions = text.size / SASS_INSTRUCTION;
    uint8_t *room = arena_alloc(arena, old.size + instructions * sizeof(uint32_t));
    struct capsule_writer writer = capsule_copy(old, room);
    struct capsule_reader reader = capsule_open(old);
    while (capsule_next(&reader, &entry))
        if (!renew_entry(&writer, &entry, text.at + (size_t)entry.first * SASS_INSTRUCTION))
            return false;
    *capsule = (struct bytes){room, writer.size};
    return true;
}
