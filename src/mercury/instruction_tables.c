#include "mercury/instruction_tables.h"

/* Every key has a slot for itself: a compiler that warns of overridden initializers says if not. */
enum { ROW_SLOTS = 128, SPECIAL_SLOTS = 128 };
#define ROW_SLOT(key) ((key)*231755u >> 20 & (ROW_SLOTS - 1))
#define SPECIAL_SLOT(key) ((key)*880125u >> 20 & (SPECIAL_SLOTS - 1))

/* ---- records ---- */

/* clang-format off */
static const struct fixed_part fixed_parts[] = {
    {{0xffffff00ffffffffu, 0x3fc03fc03fffffu, 0, 0}, {0x4000004002901u, 0x1f801u, 0, 0},
     {0xffffff0000000000u, 0xfffffffu}, {0, 0x78e3cffu}}, /* 01 29 00 */
    {{0xffffff00ffffffffu, 0xc03fffffc03fffffu, 0xffffffffffffffffu, 0}, {0xa00000e520c02u, 0x2f80100030000u, 0xb00u, 0},
     {0, 0xfffffffu}, {0, 0x78e0200u}}, /* 02 0c 52 */
    {{0xff8fff00ffffffffu, 0xfffffff4f039ffffu, 0xffffffffffffffffu, 0xffff0000ffffffffu}, {0x2000006082202u, 0x2004000010000u, 0, 0},
     {0xff20001fffc00000u, 0xffff1ffu}, {0xff000000u, 0x8000000u}}, /* 02 22 08 */
    {{0xff8fff00ffffffffu, 0xfffffff4c03dffffu, 0xffffffffffffffffu, 0xffff0000ffffffffu}, {0x20000060e2202u, 0x2004000010000u, 0, 0},
     {0xff00003fff000000u, 0xffff1ffu}, {0xff000000u, 0}}, /* 02 22 0e */
    {{0xfd8fff00ffffffffu, 0xffffc03fc039ffffu, 0xffffffffffffffffu, 0xffffffffu}, {0x101000006282202u, 0xa000000010000u, 0, 0},
     {0xff00000000u, 0xfdff1ffu}, {0, 0x100000u}}, /* 02 22 28 */
    {{0x27f8ff00ffffffffu, 0xc07fc039fffffffeu, 0xffffffe07fffffffu, 0xffffffffu}, {0x10000032322202u, 0x2000100000000u, 0xf8000002000a00u, 0},
     {0x8101000000u, 0xffe11ffu}, {0, 0xc101100u}}, /* 02 22 32 */
    {{0x4e8fff00ffffffffu, 0xffffc07ffffffffcu, 0xffffff0039e07fffu, 0xffffffffu}, {0x320e3802u, 0xa000200000000u, 0x200u, 0},
     {0x1ff0000u, 0xfee1181u}, {0, 0xc001100u}}, /* 02 38 0e */
    {{0xff8fff00ffffffffu, 0x39ffffc03fffffu, 0xffffffffffffffffu, 0xffffffffu}, {0x101000006203802u, 0xa00000000u, 0, 0},
     {0xff0000u, 0xffff1ffu}, {0, 0x100000u}}, /* 02 38 20 */
    {{0xc4f8ff00ffffffffu, 0xffffc07fffffffffu, 0xffffff0039e07fffu, 0xffffffffu}, {0x100000322a3802u, 0xa000200000000u, 0x200u, 0},
     {0x1ff0000u, 0xffe1181u}, {0, 0xc101100u}}, /* 02 38 2a */
};

/* The bit of the instruction, that of the record, how many. */
#define BITS(width) (uint32_t)(((uint64_t)1 << (width)) - 1)
#define FIELD(sass, record, width) \
    {{(sass) / 8, (sass) % 8}, {(record) / 8, (record) % 8}, false, BITS(width)}
#define OFFSET(sass, record, width) \
    {{(sass) / 8, (sass) % 8}, {(record) / 8, (record) % 8}, true, BITS(width)}
/* In the last bytes of a record of 16. */
#define LATE(sass, record, width) \
    {{(sass) / 8, (sass) % 8}, {12, (record) - 96}, false, BITS(width)}
#define ROW(number, last, name, rest, ...) \
    [ROW_SLOT(number)] = {number, last, name, rest, {__VA_ARGS__}}
#define OPCODE(number, last, name) [ROW_SLOT(number)] = {.key = number, .last_byte = last, .opcode = name}

/* Short records only say what the opcode is: the rest is in SASS alone. */
static const struct record_row rows[ROW_SLOTS] = {
    ROW(0x010b04, 0x0a, ANY_OPCODE, NULL, FIELD(16, 86, 8)),
    ROW(0x010b06, 0x0a, ANY_OPCODE, NULL, FIELD(16, 86, 6)),
    ROW(0x010b0c, 0x0a, ANY_OPCODE, NULL, FIELD(16, 86, 8)),
    ROW(0x010b0e, 0x0a, ANY_OPCODE, NULL, FIELD(16, 86, 8)),
    ROW(0x012900, 0x04, 0x212, &fixed_parts[0], FIELD(16, 86, 8), FIELD(24, 102, 8), LATE(32, 118, 8)),
    ROW(0x012908, 0x04, 0xc12, NULL, FIELD(16, 86, 8), FIELD(24, 102, 8), LATE(32, 118, 6)),
    ROW(0x012b00, 0x0a, 0x212, NULL, FIELD(16, 102, 8), LATE(32, 118, 8)),
    ROW(0x020c52, 0x0e, 0x835, &fixed_parts[1], FIELD(16, 86, 8), FIELD(24, 118, 8), FIELD(32, 192, 32)),
    ROW(0x020d1a, 0x0e, 0x82b, NULL, FIELD(16, 86, 8), FIELD(24, 102, 8), FIELD(32, 224, 32), FIELD(64, 142, 8)),
    ROW(0x020d1c, 0x0e, 0x42b, NULL, FIELD(16, 86, 8), FIELD(24, 102, 8), FIELD(64, 118, 8)),
    ROW(0x020f12, 0x0e, 0x828, NULL, FIELD(16, 86, 8), FIELD(24, 102, 8), FIELD(32, 224, 32)),
    ROW(0x022208, 0x06, 0x7ac, &fixed_parts[2], FIELD(16, 86, 6), OFFSET(37, 224, 16), FIELD(73, 52, 3)),
    ROW(0x02220c, 0x06, 0xb82, NULL, FIELD(16, 86, 8), FIELD(24, 118, 8), OFFSET(38, 224, 16), FIELD(73, 52, 3)),
    ROW(0x02220e, 0x06, 0xb82, &fixed_parts[3], FIELD(16, 86, 8), OFFSET(38, 224, 16), FIELD(73, 52, 3)),
    ROW(0x022228, 0x06, 0x983, &fixed_parts[4], FIELD(16, 86, 8), FIELD(24, 102, 8), FIELD(40, 224, 24), FIELD(73, 52, 3)),
    ROW(0x022232, 0x32, 0x980, &fixed_parts[5], FIELD(16, 102, 8), FIELD(25, 119, 7), FIELD(33, 159, 5), FIELD(40, 224, 24), FIELD(73, 48, 3)),
    ROW(0x022904, 0x06, 0x812, NULL, FIELD(16, 102, 8), FIELD(24, 118, 8), FIELD(32, 224, 32)),
    ROW(0x02380e, 0x32, 0x986, &fixed_parts[6], FIELD(25, 103, 7), FIELD(32, 158, 8), FIELD(40, 224, 24), FIELD(65, 143, 5), FIELD(73, 52, 3)),
    ROW(0x023820, 0x06, 0x387, &fixed_parts[7], FIELD(24, 86, 8), FIELD(32, 118, 8), FIELD(40, 224, 24), FIELD(73, 52, 3)),
    ROW(0x02382a, 0x32, 0x985, &fixed_parts[8], FIELD(25, 103, 7), FIELD(32, 158, 8), FIELD(40, 224, 24), FIELD(65, 143, 5), FIELD(73, 48, 3)),
    ROW(0x024d0e, 0x32, 0x9a6, NULL, FIELD(25, 103, 7), FIELD(32, 158, 8), FIELD(40, 224, 24), FIELD(65, 143, 5)),
    ROW(0x024e24, 0x32, 0x3a9, NULL, FIELD(16, 118, 8), FIELD(25, 143, 7), FIELD(32, 174, 8), FIELD(40, 224, 24), FIELD(64, 190, 8)),
    ROW(0x024e52, 0x32, 0x9a8, NULL, FIELD(16, 118, 8), FIELD(25, 143, 7), FIELD(32, 190, 8), FIELD(40, 224, 22), FIELD(65, 175, 5)),
    ROW(0x025a00, 0x26, 0x23c, NULL, FIELD(16, 102, 8), FIELD(24, 118, 8), FIELD(32, 142, 8), FIELD(64, 158, 8)),
    OPCODE(0x410000, 0x0a, 0x211),
    OPCODE(0x410b20, 0x0a, 0x202),
    OPCODE(0x410c50, 0x04, 0x235),
    OPCODE(0x410c54, 0x04, 0xc35),
    OPCODE(0x411072, 0x0a, 0x20c),
    OPCODE(0x41476e, 0x0a, 0x948),
    OPCODE(0x420a02, 0x0e, 0x943),
    OPCODE(0x420b22, 0x0e, 0x402),
    OPCODE(0x420b26, 0x0e, 0x482),
    OPCODE(0x42102e, 0x14, 0x20c),
    OPCODE(0x421030, 0x06, 0x80c),
    OPCODE(0x42105e, 0x14, 0x20c),
    OPCODE(0x422a02, 0x06, 0x812),
    OPCODE(0x423300, 0x0e, 0x950),
};

#define SPECIAL(number, ...) [SPECIAL_SLOT(number)] = {number, __VA_ARGS__}

static const struct special_read specials[SPECIAL_SLOTS] = {
    SPECIAL(0x040200, 0x919u, 0),
    SPECIAL(0x040201, 0x919u, 0x2100u),
    SPECIAL(0x040202, 0x919u, 0x2200u),
    SPECIAL(0x040203, 0x919u, 0x2300u),
    SPECIAL(0x040204, 0x919u, 0x2500u),
    SPECIAL(0x040205, 0x919u, 0x2600u),
    SPECIAL(0x040208, 0x919u, 0x3900u),
    SPECIAL(0x04020b, 0x919u, 0x3c00u),
    SPECIAL(0x04022c, 0x919u, 0x8800u),
    SPECIAL(0x04022d, 0x919u, 0x2f00u),
    SPECIAL(0x040231, 0x919u, 0x3700u),
    SPECIAL(0x040400, 0xdf00ff000b82u, 0x800u),
    SPECIAL(0x040401, 0xd800ff000b82u, 0x800u),
    SPECIAL(0x040402, 0xd900ff000b82u, 0x800u),
    SPECIAL(0x040403, 0xda00ff000b82u, 0x800u),
    SPECIAL(0x040404, 0xdc00ff000b82u, 0x800u),
    SPECIAL(0x040444, 0xbe00ff000b82u, 0x800u),
    SPECIAL(0x040445, 0xbf00ff000b82u, 0x800u),
    SPECIAL(0x060204, 0x9c3u, 0x2500u),
    SPECIAL(0x060205, 0x9c3u, 0x2600u),
    SPECIAL(0x060206, 0x9c3u, 0x2700u),
    SPECIAL(0x06022a, 0x9c3u, 0x3200u),
    SPECIAL(0x06022b, 0x9c3u, 0x4300u),
    SPECIAL(0x06022c, 0x9c3u, 0x8800u),
    SPECIAL(0x060401, 0x6c00ff0007acu, 0x8000800u),
    SPECIAL(0x060402, 0x6c80ff0007acu, 0x8000800u),
    SPECIAL(0x060404, 0x6e00ff0007acu, 0x8000800u),
    SPECIAL(0x060405, 0x6e80ff0007acu, 0x8000800u),
    SPECIAL(0x060406, 0x6f00ff0007acu, 0x8000800u),
    SPECIAL(0x060433, 0x2d80ff0007acu, 0x8000800u),
    SPECIAL(0x060444, 0x5f00ff0007acu, 0x8000800u),
    SPECIAL(0x060445, 0x5f80ff0007acu, 0x8000800u),
    SPECIAL(0x0c0220, 0x805u, 0x15000u),
    SPECIAL(0x0c0221, 0x805u, 0x15200u),
    SPECIAL(0x0c0439, 0xd600ff000b82u, 0xa00u),
    SPECIAL(0x0c043d, 0x4800ff000b82u, 0xa00u),
    SPECIAL(0x0c0fff, 0x805u, 0x1ff00u),
    SPECIAL(0x0e0439, 0x6b00ff0007acu, 0x8000a00u),
    SPECIAL(0x0e043d, 0x2400ff0007acu, 0x8000a00u),
};
/* clang-format on */

const struct record_row *
find_record_row(uint32_t key)
{
    const struct record_row *row = &rows[ROW_SLOT(key)];
    return row->key == key ? row : NULL;
}

const struct special_read *
find_special_read(uint32_t key)
{
    const struct special_read *special = &specials[SPECIAL_SLOT(key)];
    return special->key == key ? special : NULL;
}
