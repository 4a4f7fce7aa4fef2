#include "mercury/control_bits.h"

/* By the yield bit and the stall below it: instructions of known times, those that wait for others, any. */
#define SHORT_STALLS 0x0006fffcu
#define LONG_STALLS 0x0ffef000u
#define ALL_STALLS 0x0ffeffffu
/* Where control goes elsewhere; the branch behind the last instruction does not stall. */
#define TURN_STALLS 0x0fe0f001u

/* For two numbers of a scoreboard each. There is none with number 6. */
#define BOTH(stalls) ((uint64_t)(stalls) << 32 | (stalls))
#define SECOND(stalls) ((uint64_t)(stalls) << 32)
/* By the scoreboard for results, then by that for operands; 7 is none. */
#define ANY_RESULT(stalls) BOTH(stalls), BOTH(stalls), BOTH(stalls), SECOND(stalls)
#define NO_RESULT(stalls) 0, 0, 0, SECOND(stalls)
#define NOTHING 0, 0, 0, 0
#define ANY_OPERAND(row) row, row, row, row, row, row, NOTHING, row
#define NO_OPERAND(row) NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, row

const uint64_t control_kinds[CONTROL_KINDS][CONTROL_WORDS] = {
    [CONTROL_ANY] = {ANY_OPERAND(ANY_RESULT(ALL_STALLS))},
    [CONTROL_FIXED] = {NO_OPERAND(NO_RESULT(SHORT_STALLS))},
    [CONTROL_ALONE] = {NO_OPERAND(NO_RESULT(ALL_STALLS))},
    [CONTROL_TURN] = {NO_OPERAND(NO_RESULT(TURN_STALLS))},
    [CONTROL_MEETING] = {NO_OPERAND(NO_RESULT(LONG_STALLS))},
    [CONTROL_LOAD] = {ANY_OPERAND(ANY_RESULT(LONG_STALLS))},
    [CONTROL_STORE] = {ANY_OPERAND(NO_RESULT(LONG_STALLS))},
};

/* With the operands that are never kept for the next instruction. */
#define RULE(kind, not_kept) (uint8_t)((kind) | (not_kept) << CONTROL_KIND_BITS)
#define ANY(not_kept) RULE(CONTROL_ANY, not_kept)
#define FIXED(not_kept) RULE(CONTROL_FIXED, not_kept)
#define ALONE(not_kept) RULE(CONTROL_ALONE, not_kept)
#define TURN(not_kept) RULE(CONTROL_TURN, not_kept)
#define MEETING(not_kept) RULE(CONTROL_MEETING, not_kept)
#define LOAD(not_kept) RULE(CONTROL_LOAD, not_kept)
#define STORE(not_kept) RULE(CONTROL_STORE, not_kept)

/* clang-format off */
const uint8_t control_rules[OPCODES] = {
    [0x202] = FIXED(5), [0x207] = FIXED(4), [0x208] = FIXED(4), [0x209] = FIXED(0),
    [0x20b] = FIXED(4), [0x20c] = FIXED(4), [0x210] = FIXED(0), [0x211] = FIXED(0),
    [0x212] = FIXED(0), [0x213] = FIXED(0), [0x217] = FIXED(0), [0x219] = FIXED(0),
    [0x220] = FIXED(4), [0x221] = FIXED(2), [0x223] = FIXED(0), [0x224] = FIXED(0),
    [0x225] = FIXED(0), [0x227] = FIXED(0), [0x228] = ANY(4), [0x229] = ANY(2),
    [0x230] = FIXED(0), [0x231] = FIXED(0), [0x232] = FIXED(0), [0x235] = FIXED(4),
    [0x23c] = ALONE(4), [0x23e] = FIXED(0), [0x245] = FIXED(5), [0x248] = FIXED(4),
    [0x28c] = FIXED(7), [0x290] = FIXED(7), [0x291] = FIXED(7), [0x2a4] = FIXED(7),
    [0x2a5] = FIXED(0), [0x2bd] = FIXED(0), [0x2ca] = FIXED(6), [0x300] = LOAD(0),
    [0x302] = LOAD(7), [0x305] = LOAD(7), [0x306] = LOAD(7), [0x307] = LOAD(0),
    [0x308] = LOAD(7), [0x309] = LOAD(0), [0x310] = LOAD(7), [0x311] = LOAD(7),
    [0x312] = LOAD(7), [0x31d] = STORE(0), [0x343] = TURN(0), [0x348] = TURN(7),
    [0x355] = LOAD(7), [0x356] = STORE(7), [0x387] = STORE(7), [0x388] = STORE(7),
    [0x389] = LOAD(7), [0x38c] = LOAD(0), [0x402] = FIXED(7), [0x407] = FIXED(0),
    [0x421] = FIXED(6), [0x423] = FIXED(4), [0x424] = FIXED(4), [0x42b] = ANY(4),
    [0x431] = FIXED(4), [0x482] = FIXED(7), [0x547] = TURN(7), [0x589] = LOAD(0),
    [0x5ab] = TURN(7), [0x607] = FIXED(0), [0x7ac] = LOAD(7), [0x802] = FIXED(7),
    [0x803] = FIXED(7), [0x804] = FIXED(0), [0x805] = FIXED(7), [0x806] = FIXED(7),
    [0x807] = FIXED(6), [0x808] = FIXED(6), [0x809] = FIXED(0), [0x80b] = FIXED(6),
    [0x80c] = FIXED(6), [0x810] = FIXED(2), [0x811] = FIXED(0), [0x812] = FIXED(2),
    [0x816] = FIXED(2), [0x817] = FIXED(0), [0x819] = FIXED(2), [0x81c] = FIXED(7),
    [0x820] = FIXED(6), [0x823] = FIXED(2), [0x824] = FIXED(2), [0x825] = FIXED(2),
    [0x827] = FIXED(0), [0x831] = FIXED(0), [0x835] = FIXED(6), [0x836] = FIXED(6),
    [0x846] = FIXED(0), [0x848] = FIXED(0), [0x882] = FIXED(7), [0x886] = FIXED(0),
    [0x88c] = FIXED(7), [0x890] = FIXED(7), [0x892] = FIXED(7), [0x896] = FIXED(0),
    [0x899] = FIXED(7), [0x8a4] = FIXED(0), [0x8a5] = FIXED(0), [0x902] = LOAD(0),
    [0x908] = LOAD(0), [0x918] = ALONE(7), [0x919] = LOAD(7), [0x91a] = ALONE(0),
    [0x91b] = TURN(7), [0x941] = TURN(7), [0x942] = TURN(7), [0x943] = TURN(7),
    [0x945] = MEETING(7), [0x946] = TURN(7), [0x947] = TURN(7), [0x948] = TURN(7),
    [0x94d] = TURN(7), [0x94e] = FIXED(0), [0x950] = TURN(7), [0x95c] = TURN(0),
    [0x980] = LOAD(7), [0x981] = LOAD(7), [0x983] = LOAD(7), [0x984] = LOAD(7),
    [0x985] = STORE(7), [0x986] = STORE(7), [0x988] = STORE(7), [0x989] = LOAD(7),
    [0x98f] = STORE(0), [0x992] = ANY(7), [0x9a3] = LOAD(0), [0x9a8] = LOAD(7),
    [0x9ab] = ALONE(7), [0x9af] = LOAD(0), [0x9c3] = LOAD(7), [0xb1d] = STORE(7),
    [0xb82] = LOAD(7), [0xc02] = FIXED(7), [0xc0b] = FIXED(0), [0xc0c] = FIXED(6),
    [0xc10] = FIXED(2), [0xc11] = FIXED(2), [0xc12] = FIXED(0), [0xc19] = FIXED(0),
    [0xc20] = FIXED(0), [0xc23] = FIXED(2), [0xc24] = FIXED(2), [0xc25] = FIXED(0),
    [0xc35] = FIXED(0), [0xc36] = FIXED(0), [0xc45] = FIXED(0), [0xc82] = FIXED(7),
    [0xd09] = LOAD(0), [0xe21] = FIXED(0), [0xe24] = FIXED(4), [0xe25] = FIXED(0),
    [0xf60] = LOAD(7), [0xf89] = LOAD(7), [0xf8c] = STORE(0), [0xfae] = LOAD(0),
};
/* clang-format on */
