#include "mercury/issue_units.h"

#include <stddef.h>

/* clang-format off */
const uint8_t issue_units[4096] = {
    [0x202] = PAIR_MOVE, [0x207] = MOVE, [0x208] = MOVE, [0x209] = MOVE, [0x20a] = MOVE,
    [0x20b] = MOVE, [0x20c] = PAIR_MOVE, [0x20f] = ALU, [0x210] = ALU, [0x211] = ALU, [0x212] = ALU,
    [0x213] = ALU, [0x216] = ALU, [0x219] = ALU, [0x21a] = ALU, [0x21b] = ALU, [0x220] = FLOAT,
    [0x221] = FLOAT, [0x223] = FLOAT, [0x224] = PRODUCT, [0x225] = WIDE, [0x227] = HIGH,
    [0x228] = DOUBLE, [0x229] = DOUBLE, [0x22a] = DOUBLE_TEST, [0x22b] = DOUBLE, [0x230] = HALF,
    [0x231] = HALF, [0x232] = HALF, [0x235] = LONG_SUM, [0x236] = VECTOR_SUM, [0x245] = ALU,
    [0x246] = ALU, [0x248] = MOVE, [0x28c] = UNIFORM, [0x290] = UNIFORM, [0x291] = UNIFORM,
    [0x292] = UNIFORM, [0x296] = UNIFORM, [0x299] = UNIFORM, [0x29a] = UNIFORM, [0x29b] = UNIFORM,
    [0x2a4] = UNIFORM, [0x2a5] = UNIFORM, [0x2a6] = UNIFORM, [0x2ca] = TO_UNIFORM,
    [0x300] = SLOW_ALONE, [0x301] = SLOW_ALONE, [0x302] = SLOW_ALONE, [0x304] = SLOW_ALONE,
    [0x305] = SLOW_ALONE, [0x306] = SLOW_ALONE, [0x307] = SLOW_ALONE, [0x308] = SLOW_ALONE,
    [0x309] = SLOW_ALONE, [0x310] = SLOW_ALONE, [0x311] = SLOW_ALONE, [0x312] = SLOW_ALONE,
    [0x355] = PAUSE, [0x356] = PAUSE, [0x387] = SLOW, [0x388] = SLOW, [0x389] = SLOW,
    [0x38b] = SLOW, [0x38c] = SLOW, [0x38d] = SLOW, [0x3a8] = SLOW, [0x3a9] = SLOW, [0x416] = ALU,
    [0x419] = ALU, [0x421] = FLOAT, [0x423] = FLOAT, [0x424] = PRODUCT, [0x425] = WIDE,
    [0x429] = DOUBLE, [0x42a] = DOUBLE_TEST, [0x42b] = DOUBLE, [0x430] = HALF, [0x431] = HALF,
    [0x446] = ALU, [0x499] = UNIFORM, [0x4a4] = UNIFORM, [0x547] = BRANCH, [0x589] = SLOW,
    [0x58d] = SLOW, [0x7ac] = SLOW_ALONE, [0x802] = PAIR_MOVE, [0x805] = CLOCK, [0x807] = MOVE,
    [0x808] = MOVE, [0x809] = MOVE, [0x80a] = MOVE, [0x80b] = MOVE, [0x80c] = PAIR_MOVE,
    [0x80f] = ALU, [0x810] = ALU, [0x811] = ALU, [0x812] = ALU, [0x813] = ALU, [0x816] = ALU,
    [0x819] = ALU, [0x81a] = ALU, [0x81b] = ALU, [0x81c] = LOGIC, [0x820] = FLOAT, [0x823] = FLOAT,
    [0x824] = PRODUCT, [0x825] = WIDE, [0x827] = HIGH, [0x828] = DOUBLE, [0x82b] = DOUBLE,
    [0x830] = HALF, [0x831] = HALF, [0x832] = HALF, [0x835] = LONG_SUM, [0x836] = VECTOR_SUM,
    [0x845] = ALU, [0x846] = ALU, [0x848] = MOVE, [0x882] = UNIFORM_MOVE, [0x88c] = UNIFORM,
    [0x890] = UNIFORM, [0x891] = UNIFORM, [0x892] = UNIFORM, [0x896] = UNIFORM, [0x899] = UNIFORM,
    [0x89a] = UNIFORM, [0x89b] = UNIFORM, [0x8a4] = UNIFORM, [0x8a5] = UNIFORM,
    [0x908] = SLOW_ALONE, [0x919] = SLOW_ALONE, [0x942] = PAUSE, [0x945] = SLOW, [0x946] = PAUSE,
    [0x947] = BRANCH, [0x94d] = BRANCH, [0x980] = SLOW, [0x981] = SLOW, [0x983] = SLOW,
    [0x984] = SHARED_LOAD, [0x985] = SLOW, [0x986] = SLOW, [0x987] = SLOW, [0x988] = SLOW,
    [0x989] = SLOW, [0x98a] = SLOW, [0x98c] = SLOW, [0x98e] = SLOW, [0x9a3] = SLOW, [0x9a6] = SLOW,
    [0x9a8] = SLOW, [0x9c3] = SLOW, [0xb1d] = SLOW, [0xb82] = SLOW, [0xc02] = PAIR_MOVE,
    [0xc07] = MOVE, [0xc08] = MOVE, [0xc09] = MOVE, [0xc0a] = MOVE, [0xc0b] = MOVE,
    [0xc0c] = PAIR_MOVE, [0xc0f] = ALU, [0xc10] = ALU, [0xc11] = ALU, [0xc12] = ALU, [0xc13] = ALU,
    [0xc16] = ALU, [0xc19] = ALU, [0xc1a] = ALU, [0xc1b] = ALU, [0xc20] = FLOAT, [0xc23] = FLOAT,
    [0xc24] = PRODUCT, [0xc25] = WIDE, [0xc27] = HIGH, [0xc28] = DOUBLE, [0xc2b] = DOUBLE,
    [0xc30] = HALF, [0xc31] = HALF, [0xc32] = HALF, [0xc35] = LONG_SUM, [0xc36] = VECTOR_SUM,
    [0xc45] = ALU, [0xc46] = ALU, [0xc48] = MOVE, [0xd00] = SLOW_ALONE, [0xd05] = SLOW_ALONE,
    [0xd06] = SLOW_ALONE, [0xd08] = SLOW_ALONE, [0xd09] = SLOW_ALONE, [0xd10] = SLOW_ALONE,
    [0xd11] = SLOW_ALONE, [0xd12] = SLOW_ALONE, [0xe16] = ALU, [0xe19] = ALU, [0xe21] = FLOAT,
    [0xe23] = FLOAT, [0xe24] = PRODUCT, [0xe25] = WIDE, [0xe29] = DOUBLE, [0xe2a] = DOUBLE_TEST,
    [0xe2b] = DOUBLE, [0xe30] = HALF, [0xe31] = HALF, [0xe46] = ALU, [0xf60] = SLOW_ALONE,
    [0xf63] = SLOW_ALONE, [0xf66] = SLOW_ALONE, [0xf6c] = SLOW_ALONE, [0xf6f] = SLOW_ALONE,
    [0xf89] = SLOW, [0xf8c] = SLOW,
};

/* Results by reader: ALU, moves, products, the upper half of a wide sum, guards. */
#define ROW(alu, move, product, upper)                                                             \
    {[BY_ALU] = alu, [BY_MOVE] = move, [BY_PRODUCT] = product, [BY_WIDE_UPPER] = upper, [AS_GUARD] = {13, 1}}
#define L(least) {least, 0}
#define M(least, more) {least, more}

#define LATENCIES                                                                                  \
    [CLOCK_RESULT] = ROW(M(4, 2), M(4, 2), M(4, 2), M(2, 3)),                                      \
    [FLOAT_RESULT] = ROW(L(5), L(5), L(4), L(2)),                                                  \
    [HALF_RESULT] = ROW(L(5), L(5), L(5), L(3)),                                                   \
    [WIDE_LOW_RESULT] = ROW(M(3, 2), M(3, 2), M(2, 2), M(2, 2)),                                   \
    [WIDE_RESULT] = ROW(L(5), L(5), L(4), L(2)),                                                   \
    [HIGH_RESULT] = ROW(L(5), L(5), M(4, 2), M(2, 4)),                                             \
    [UNIFORM_RESULT] = {[BY_ALU] = M(6, 1), [BY_MOVE] = M(6, 1), [BY_PRODUCT] = M(6, 2), [AS_GUARD] = M(11, 2)}, \
    [UNIFORM_MOVED] = {[BY_ALU] = L(2), [BY_MOVE] = L(2), [BY_PRODUCT] = M(2, 2)},                 \
    [FROM_GENERAL] = {[BY_ALU] = M(13, 1), [BY_MOVE] = M(13, 1), [BY_PRODUCT] = M(13, 7)}

#define PLAIN(port, takes, cycles, result, reader, flags)                                          \
    {takes, cycles, result, port, reader, IS_TIMED | IS_PLAIN_UNIT | (flags)}
#define OTHER(takes, cycles, result, flags) {takes, cycles, result, NO_PORT, BY_ALU, IS_TIMED | (flags)}

#define UNITS_OF_ALL                                                                               \
    [ALU] = PLAIN(ALU_PORT, ALU_PORT, 2, ALU_RESULT, BY_ALU, 0),                                   \
    [LOGIC] = OTHER(ALU_PORT, 2, ALU_RESULT, 0),                                                   \
    [TO_UNIFORM] = OTHER(ALU_PORT, 2, FROM_GENERAL, SETS_UNIFORM),                                 \
    [FLOAT] = PLAIN(PRODUCT_PORT, NO_PORT, 0, FLOAT_RESULT, BY_PRODUCT, 0),                        \
    [PRODUCT] = PLAIN(PRODUCT_PORT, PRODUCT_PORT, 2, FLOAT_RESULT, BY_PRODUCT, 0),                 \
    [HALF] = OTHER(PRODUCT_PORT, 2, HALF_RESULT, 0),                                               \
    [WIDE] = PLAIN(PRODUCT_PORT, PRODUCT_PORT, 4, WIDE_RESULT, BY_PRODUCT, SETS_PAIR),             \
    [HIGH] = OTHER(PRODUCT_PORT, 4, HIGH_RESULT, 0),                                               \
    [UNIFORM] = OTHER(NO_PORT, 0, UNIFORM_RESULT, SETS_UNIFORM),                                   \
    [UNIFORM_MOVE] = OTHER(NO_PORT, 0, UNIFORM_MOVED, SETS_UNIFORM),                               \
    [SLOW] = OTHER(OTHER_PORT, 0, LATE_RESULT, 0),                                                 \
    [SHARED_LOAD] = OTHER(OTHER_PORT, 0, LATE_RESULT, MAY_BE_OF_FENCE),                            \
    [SLOW_ALONE] = OTHER(NO_PORT, 0, LATE_RESULT, 0),                                              \
    [PAUSE] = OTHER(NO_PORT, 0, LATE_RESULT, HOLDS_ALL),                                           \
    [BRANCH] = OTHER(NO_PORT, 0, LATE_RESULT, ENDS_BLOCK)

/* sm_100, sm_103 and sm_110. */
#define DATA_CENTER_UNITS                                                                          \
    UNITS_OF_ALL, [MOVE] = PLAIN(ALU_PORT, ALU_PORT, 2, ALU_RESULT, BY_ALU, 0),                    \
    [PAIR_MOVE] = PLAIN(ALU_PORT, ALU_PORT, 2, ALU_RESULT, BY_ALU, MAY_BE_OF_PAIRS),               \
    [VECTOR_SUM] = PLAIN(PRODUCT_PORT, PRODUCT_PORT, 2, FLOAT_RESULT, BY_PRODUCT, 0)
#define DATA_CENTER_LATENCIES LATENCIES, [ALU_RESULT] = ROW(L(4), L(4), L(5), L(3))

static const struct issue_family sm_100 = {
    {DATA_CENTER_UNITS,
     [CLOCK] = OTHER(ALU_PORT, 2, CLOCK_RESULT, SETS_PAIR),
     [DOUBLE] = OTHER(OTHER_PORT, 0, DOUBLE_RESULT, SETS_PAIR),
     [DOUBLE_TEST] = OTHER(OTHER_PORT, 0, DOUBLE_RESULT, 0)},
    {DATA_CENTER_LATENCIES, [DOUBLE_RESULT] = ROW(M(6, 4), M(6, 4), L(10), M(8, 2))},
};

static const struct issue_family sm_103 = {
    {DATA_CENTER_UNITS, [CLOCK] = OTHER(ALU_PORT, 2, CLOCK_RESULT, SETS_PAIR)},
    {DATA_CENTER_LATENCIES},
};

static const struct issue_family sm_110 = {
    {DATA_CENTER_UNITS, [CLOCK] = OTHER(NO_PORT, 0, CLOCK_RESULT, SETS_PAIR)},
    {DATA_CENTER_LATENCIES},
};

static const struct issue_family sm_120 = {
    {UNITS_OF_ALL,
     [MOVE] = PLAIN(NO_PORT, NO_PORT, 0, MOVE_RESULT, BY_MOVE, 0),
     [PAIR_MOVE] = PLAIN(NO_PORT, NO_PORT, 0, MOVE_RESULT, BY_MOVE, MAY_BE_OF_PAIRS),
     [CLOCK] = OTHER(NO_PORT, 0, CLOCK_RESULT, SETS_PAIR),
     [LONG_SUM] = OTHER(NO_PORT, 0, LONG_RESULT, SETS_PAIR | HOLDS_ALL)},
    {LATENCIES,
     [ALU_RESULT] = ROW(L(4), L(5), L(5), L(3)),
     [MOVE_RESULT] = ROW(L(5), L(5), L(5), L(3)),
     [LONG_RESULT] = ROW(M(5, 1), M(5, 1), M(5, 1), M(4, 2))},
};
/* clang-format on */

const struct issue_family *
issue_family_of(unsigned target)
{
    switch (target) {
    case 100:
        return &sm_100;
    case 103:
        return &sm_103;
    case 110:
        return &sm_110;
    case 120:
    case 121:
        return &sm_120;
    default:
        return NULL;
    }
}
