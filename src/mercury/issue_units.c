#include "mercury/issue_units.h"

#include <stddef.h>

/* clang-format off */
const uint8_t issue_units[4096] = {
    [0x202] = PAIR_MOVE, [0x207] = MOVE, [0x208] = MOVE, [0x209] = MOVE, [0x20a] = MOVE, [0x20b] = MOVE,
    [0x20c] = PAIR_MOVE, [0x20f] = ALU, [0x210] = ALU, [0x211] = ALU, [0x212] = ALU, [0x213] = ALU,
    [0x216] = ALU, [0x219] = ALU, [0x21a] = ALU, [0x21b] = ALU, [0x220] = FLOAT, [0x221] = FLOAT,
    [0x223] = FLOAT, [0x224] = PRODUCT, [0x225] = WIDE, [0x227] = HIGH, [0x228] = DOUBLE,
    [0x229] = DOUBLE, [0x22a] = DOUBLE_TEST, [0x22b] = DOUBLE, [0x230] = HALF, [0x231] = HALF,
    [0x232] = HALF, [0x235] = LONG_SUM, [0x236] = VECTOR_SUM, [0x245] = ALU, [0x246] = ALU,
    [0x248] = MOVE, [0x28c] = UNIFORM, [0x290] = UNIFORM, [0x291] = UNIFORM, [0x292] = UNIFORM,
    [0x296] = UNIFORM, [0x299] = UNIFORM, [0x29a] = UNIFORM, [0x29b] = UNIFORM, [0x2a4] = UNIFORM,
    [0x2a5] = UNIFORM, [0x2a6] = UNIFORM, [0x2ca] = TO_UNIFORM, [0x300] = FUNCTION,
    [0x301] = FUNCTION, [0x302] = FUNCTION, [0x304] = FUNCTION, [0x305] = FUNCTION,
    [0x306] = FUNCTION, [0x307] = FUNCTION, [0x308] = FUNCTION, [0x309] = FUNCTION,
    [0x310] = FUNCTION, [0x311] = FUNCTION, [0x312] = FUNCTION, [0x355] = PAUSE, [0x356] = PAUSE,
    [0x387] = STORE, [0x388] = STORE, [0x389] = LOAD, [0x38b] = LOAD, [0x38c] = LOAD,
    [0x38d] = LOAD, [0x3a8] = LOAD, [0x3a9] = LOAD, [0x416] = ALU, [0x419] = ALU, [0x421] = FLOAT,
    [0x423] = FLOAT, [0x424] = PRODUCT, [0x425] = WIDE, [0x429] = DOUBLE, [0x42a] = DOUBLE_TEST,
    [0x42b] = DOUBLE, [0x430] = HALF, [0x431] = HALF, [0x446] = ALU, [0x499] = UNIFORM,
    [0x4a4] = UNIFORM, [0x547] = UNIFORM_BRANCH, [0x589] = LOAD, [0x58d] = LOAD,
    [0x7ac] = UNIFORM_CONSTANT, [0x802] = PAIR_MOVE, [0x805] = CLOCK, [0x807] = MOVE, [0x808] = MOVE,
    [0x809] = MOVE, [0x80a] = MOVE, [0x80b] = MOVE, [0x80c] = PAIR_MOVE, [0x80f] = ALU, [0x810] = ALU,
    [0x811] = ALU, [0x812] = ALU, [0x813] = ALU, [0x816] = ALU, [0x819] = ALU, [0x81a] = ALU,
    [0x81b] = ALU, [0x81c] = LOGIC, [0x820] = FLOAT, [0x823] = FLOAT, [0x824] = PRODUCT,
    [0x825] = WIDE, [0x827] = HIGH, [0x828] = DOUBLE, [0x82b] = DOUBLE, [0x830] = HALF,
    [0x831] = HALF, [0x832] = HALF, [0x835] = LONG_SUM, [0x836] = VECTOR_SUM, [0x845] = ALU,
    [0x846] = ALU, [0x848] = MOVE, [0x882] = UNIFORM_MOVE, [0x88c] = UNIFORM, [0x890] = UNIFORM,
    [0x891] = UNIFORM, [0x892] = UNIFORM, [0x896] = UNIFORM, [0x899] = UNIFORM, [0x89a] = UNIFORM,
    [0x89b] = UNIFORM, [0x8a4] = UNIFORM, [0x8a5] = UNIFORM, [0x908] = FUNCTION, [0x919] = SPECIAL,
    [0x942] = PAUSE, [0x945] = MEETING, [0x946] = PAUSE, [0x947] = BRANCH, [0x94d] = EXIT,
    [0x980] = LOAD, [0x981] = LOAD, [0x983] = LOAD, [0x984] = SHARED_LOAD, [0x985] = STORE,
    [0x986] = STORE, [0x987] = STORE, [0x988] = STORE, [0x989] = LOAD, [0x98a] = LOAD,
    [0x98c] = LOAD, [0x98e] = STORE, [0x9a3] = LOAD, [0x9a6] = STORE, [0x9a8] = LOAD,
    [0x9c3] = UNIFORM_SPECIAL, [0xb1d] = BARRIER, [0xb82] = CONSTANT, [0xc02] = PAIR_MOVE,
    [0xc07] = MOVE, [0xc08] = MOVE, [0xc09] = MOVE, [0xc0a] = MOVE, [0xc0b] = MOVE, [0xc0c] = PAIR_MOVE,
    [0xc0f] = ALU, [0xc10] = ALU, [0xc11] = ALU, [0xc12] = ALU, [0xc13] = ALU, [0xc16] = ALU,
    [0xc19] = ALU, [0xc1a] = ALU, [0xc1b] = ALU, [0xc20] = FLOAT, [0xc23] = FLOAT,
    [0xc24] = PRODUCT, [0xc25] = WIDE, [0xc27] = HIGH, [0xc28] = DOUBLE, [0xc2b] = DOUBLE,
    [0xc30] = HALF, [0xc31] = HALF, [0xc32] = HALF, [0xc35] = LONG_SUM, [0xc36] = VECTOR_SUM,
    [0xc45] = ALU, [0xc46] = ALU, [0xc48] = MOVE, [0xd00] = FUNCTION, [0xd05] = FUNCTION,
    [0xd06] = FUNCTION, [0xd08] = FUNCTION, [0xd09] = FUNCTION, [0xd10] = FUNCTION,
    [0xd11] = FUNCTION, [0xd12] = FUNCTION, [0xe16] = ALU, [0xe19] = ALU, [0xe21] = FLOAT,
    [0xe23] = FLOAT, [0xe24] = PRODUCT, [0xe25] = WIDE, [0xe29] = DOUBLE, [0xe2a] = DOUBLE_TEST,
    [0xe2b] = DOUBLE, [0xe30] = HALF, [0xe31] = HALF, [0xe46] = ALU, [0xf60] = FETCH_UNIT,
    [0xf63] = FETCH_UNIT, [0xf66] = FETCH_UNIT, [0xf6c] = FETCH_UNIT, [0xf6f] = FETCH_UNIT, [0xf89] = LOAD,
    [0xf8c] = LOAD,
};

/* Results by reader: any, ALU, moves, products, upper half of a wide sum, halves, long sums, doubles, memory,
   functions, uniform, constants, branches, guards. */
#define ROW(alu, move, product, upper, half, long_sum, dbl, memory, function)                                  \
    {[BY_ALU] = alu, [BY_MOVE] = move, [BY_PRODUCT] = product, [BY_WIDE_UPPER] = upper, [BY_HALF] = half,      \
     [BY_LONG] = long_sum, [BY_DOUBLE] = dbl, [BY_MEMORY] = memory, [BY_FUNCTION] = function,                  \
     [BY_BRANCH] = {13, 1}, [AS_GUARD] = {13, 1}}
#define L(least) {least, 0}
#define M(least, more) {least, more}

/* The same for all. */
#define UNIFORM_LATENCIES                                                                                      \
    [UNIFORM_RESULT] = {[BY_UNIFORM] = M(4, 7), [BY_ALU] = M(6, 1), [BY_MOVE] = M(6, 1),                       \
                        [BY_PRODUCT] = M(6, 2), [BY_HALF] = M(6, 2), [BY_LONG] = M(6, 1),                      \
                        [BY_DOUBLE] = M(4, 10), [BY_MEMORY] = M(9, 0), [BY_FUNCTION] = M(9, 2),                 \
                        [BY_CONSTANT] = M(6, 7), [BY_BRANCH] = M(9, 0), [AS_GUARD] = M(11, 2)},               \
    [UNIFORM_MOVED] = {[BY_UNIFORM] = M(2, 1), [BY_ALU] = L(2), [BY_MOVE] = L(2), [BY_PRODUCT] = M(2, 2),      \
                       [BY_HALF] = L(2), [BY_LONG] = L(2), [BY_DOUBLE] = L(2), [BY_MEMORY] = L(2),             \
                       [BY_FUNCTION] = L(2), [BY_CONSTANT] = M(2, 3), [BY_BRANCH] = L(3)},                     \
    [FROM_GENERAL] = {[BY_UNIFORM] = L(13), [BY_ALU] = M(13, 1), [BY_MOVE] = M(13, 1),                         \
                      [BY_PRODUCT] = M(13, 7), [BY_HALF] = M(13, 1), [BY_LONG] = M(13, 1),                     \
                      [BY_DOUBLE] = M(13, 1), [BY_MEMORY] = L(13), [BY_FUNCTION] = M(13, 1),                   \
                      [BY_CONSTANT] = M(13, 1), [BY_BRANCH] = L(13)}

#define SHARED_UNITS                                                                                           \
    [ALU] = {ALU_PORT, ALU_PORT, 2, ALU_RESULT, BY_ALU, IS_TIMED | IS_PLAIN_UNIT},                             \
    [LOGIC] = {ALU_PORT, ALU_PORT, 2, ALU_RESULT, BY_ALU, IS_TIMED | MAY_STALL},                               \
    [TO_UNIFORM] = {ALU_PORT, ALU_PORT, 2, FROM_GENERAL, BY_ALU, IS_TIMED | SETS_UNIFORM},                     \
    [FLOAT] = {PRODUCT_PORT, NO_PORT, 0, FLOAT_RESULT, BY_PRODUCT, IS_TIMED | IS_PLAIN_UNIT},                  \
    [PRODUCT] = {PRODUCT_PORT, PRODUCT_PORT, 2, FLOAT_RESULT, BY_PRODUCT, IS_TIMED | IS_PLAIN_UNIT},           \
    [HALF] = {PRODUCT_PORT, PRODUCT_PORT, 2, HALF_RESULT, BY_HALF, IS_TIMED},                                  \
    [WIDE] = {PRODUCT_PORT, PRODUCT_PORT, 4, WIDE_RESULT, BY_PRODUCT, IS_TIMED | IS_PLAIN_UNIT | SETS_PAIR},   \
    [HIGH] = {PRODUCT_PORT, PRODUCT_PORT, 4, HIGH_RESULT, BY_PRODUCT, IS_TIMED},                               \
    [UNIFORM_MOVE] = {OTHER_PORT, NO_PORT, 0, UNIFORM_MOVED, BY_UNIFORM, IS_TIMED | SETS_UNIFORM},             \
    [CONSTANT] = {CONSTANT_PORT, CONSTANT_PORT, 8, LATE_RESULT, BY_FUNCTION, IS_TIMED | IS_LATE},              \
    [UNIFORM_SPECIAL] = {CONSTANT_PORT, CONSTANT_PORT, 8, LATE_RESULT, BY_ANY, IS_TIMED | IS_LATE},            \
    [BARRIER] = {CONSTANT_PORT, CONSTANT_PORT, 8, LATE_RESULT, BY_ANY, IS_TIMED | MAY_STALL | HOLDS_ALL},      \
    [UNIFORM_CONSTANT] = {OTHER_PORT, NO_PORT, 0, LATE_RESULT, BY_CONSTANT, IS_TIMED | IS_LATE},               \
    [SPECIAL] = {OTHER_PORT, NO_PORT, 0, LATE_RESULT, BY_ANY, IS_TIMED | IS_LATE},                             \
    [LOAD] = {MEMORY_PORT, MEMORY_PORT, 4, LATE_RESULT, BY_MEMORY, IS_TIMED | IS_LATE},                        \
    [SHARED_LOAD] = {MEMORY_PORT, MEMORY_PORT, 4, LATE_RESULT, BY_MEMORY, IS_TIMED | IS_LATE | MAY_BE_OF_FENCE}, \
    [STORE] = {MEMORY_PORT, MEMORY_PORT, 4, LATE_RESULT, BY_MEMORY, IS_TIMED},                                 \
    [FETCH_UNIT] = {OTHER_PORT, NO_PORT, 0, LATE_RESULT, BY_FUNCTION, IS_TIMED | IS_LATE | MAY_STALL},         \
    [MEETING] = {BRANCH_PORT, BRANCH_PORT, 4, LATE_RESULT, BY_ANY, IS_TIMED},                                  \
    [PAUSE] = {BRANCH_PORT, NO_PORT, 0, LATE_RESULT, BY_ANY, IS_TIMED | MAY_STALL | HOLDS_ALL},                \
    [BRANCH] = {BRANCH_PORT, NO_PORT, 0, LATE_RESULT, BY_BRANCH, IS_TIMED | ENDS_BLOCK},                       \
    [UNIFORM_BRANCH] = {OTHER_PORT, NO_PORT, 0, LATE_RESULT, BY_BRANCH, IS_TIMED | ENDS_BLOCK},                \
    [EXIT] = {OTHER_PORT, NO_PORT, 0, LATE_RESULT, BY_BRANCH, IS_TIMED | ENDS_BLOCK | MAY_STALL}

/* sm_100, sm_103 and sm_110. */
#define DATA_CENTER_UNITS                                                                                      \
    SHARED_UNITS,                                                                                              \
    [MOVE] = {ALU_PORT, ALU_PORT, 2, ALU_RESULT, BY_ALU, IS_TIMED | IS_PLAIN_UNIT},                            \
    [PAIR_MOVE] = {ALU_PORT, ALU_PORT, 2, ALU_RESULT, BY_ALU, IS_TIMED | IS_PLAIN_UNIT | MAY_BE_OF_PAIRS},     \
    [VECTOR_SUM] = {PRODUCT_PORT, PRODUCT_PORT, 2, FLOAT_RESULT, BY_PRODUCT, IS_TIMED | IS_PLAIN_UNIT},        \
    [UNIFORM] = {UNIFORM_PORT, UNIFORM_PORT, 2, UNIFORM_RESULT, BY_UNIFORM, IS_TIMED | SETS_UNIFORM}
#define DATA_CENTER_LATENCIES                                                                                  \
    UNIFORM_LATENCIES,                                                                                         \
    [ALU_RESULT] = ROW(L(4), L(4), L(5), L(3), L(5), L(5), L(6), L(5), L(4)),                                  \
    [CLOCK_RESULT] = ROW(M(4, 2), M(4, 2), M(4, 2), M(2, 3), M(4, 2), M(4, 2), M(4, 3), M(4, 2), M(4, 1)),                    \
    [FLOAT_RESULT] = ROW(L(5), L(5), L(4), L(2), L(5), L(5), L(6), L(5), L(4)),                                \
    [HALF_RESULT] = ROW(L(5), L(5), L(5), L(3), M(4, 1), L(5), L(6), M(5, 1), L(4)),                           \
    [WIDE_LOW_RESULT] = ROW(M(3, 2), M(3, 2), M(2, 2), M(2, 2), M(3, 2), M(3, 2), M(4, 2), M(3, 2), M(2, 2)),  \
    [WIDE_RESULT] = ROW(L(5), L(5), L(4), L(2), L(5), L(5), L(6), L(5), L(4)),                                 \
    [HIGH_RESULT] = ROW(L(5), L(5), M(4, 2), M(2, 4), L(5), L(5), L(6), L(5), L(4))

static const struct issue_family sm_100 = {
    {DATA_CENTER_UNITS,
     [CLOCK] = {ALU_PORT, ALU_PORT, 2, CLOCK_RESULT, BY_ANY, IS_TIMED | SETS_PAIR},
     [FUNCTION] = {FUNCTION_PORT, FUNCTION_PORT, 8, LATE_RESULT, BY_FUNCTION, IS_TIMED | IS_LATE},
     [DOUBLE] = {DOUBLE_PORT, DOUBLE_PORT, 2, DOUBLE_RESULT, BY_DOUBLE, IS_TIMED | SETS_PAIR},
     [DOUBLE_TEST] = {DOUBLE_PORT, DOUBLE_PORT, 2, DOUBLE_RESULT, BY_DOUBLE, IS_TIMED}},
    {DATA_CENTER_LATENCIES,
     [DOUBLE_RESULT] = ROW(M(6, 4), M(6, 4), L(10), M(8, 2), L(10), L(10), M(6, 2), L(7), L(6))},
};

/* Other times of doubles and of functions: these may come at any time. */
#define OTHER_FUNCTIONS [FUNCTION] = {OTHER_PORT, NO_PORT, 0, LATE_RESULT, BY_FUNCTION, IS_TIMED | IS_LATE | MAY_STALL}

static const struct issue_family sm_103 = {
    {DATA_CENTER_UNITS, OTHER_FUNCTIONS, [CLOCK] = {ALU_PORT, ALU_PORT, 2, CLOCK_RESULT, BY_ANY, IS_TIMED | SETS_PAIR}},
    {DATA_CENTER_LATENCIES},
};

static const struct issue_family sm_110 = {
    {DATA_CENTER_UNITS, OTHER_FUNCTIONS, [CLOCK] = {NO_PORT, NO_PORT, 0, CLOCK_RESULT, BY_ANY, IS_TIMED | SETS_PAIR | MAY_STALL}},
    {DATA_CENTER_LATENCIES},
};

static const struct issue_family sm_120 = {
    {SHARED_UNITS,
     [MOVE] = {NO_PORT, NO_PORT, 0, MOVE_RESULT, BY_MOVE, IS_TIMED | IS_PLAIN_UNIT},
     [PAIR_MOVE] = {NO_PORT, NO_PORT, 0, MOVE_RESULT, BY_MOVE, IS_TIMED | IS_PLAIN_UNIT | MAY_BE_OF_PAIRS},
     [CLOCK] = {NO_PORT, NO_PORT, 0, CLOCK_RESULT, BY_ANY, IS_TIMED | SETS_PAIR},
     [LONG_SUM] = {NO_PORT, NO_PORT, 0, LONG_RESULT, BY_LONG, IS_TIMED | SETS_PAIR | HOLDS_ALL},
     [UNIFORM] = {UNIFORM_PORT, NO_PORT, 0, UNIFORM_RESULT, BY_UNIFORM, IS_TIMED | SETS_UNIFORM},
     OTHER_FUNCTIONS},
    {UNIFORM_LATENCIES,
     [ALU_RESULT] = ROW(L(4), L(5), L(5), L(3), L(5), L(5), L(6), L(5), L(4)),
     [MOVE_RESULT] = ROW(L(5), L(5), L(5), L(3), L(5), L(5), L(6), L(5), M(4, 1)),
     [CLOCK_RESULT] = ROW(M(4, 2), M(4, 2), M(4, 2), M(2, 3), M(4, 2), M(4, 2), M(4, 3), M(4, 2), M(4, 1)),
     [FLOAT_RESULT] = ROW(L(5), L(5), L(4), L(2), L(5), L(5), L(6), L(5), L(4)),
     [HALF_RESULT] = ROW(L(5), L(5), L(5), L(3), M(4, 1), L(5), L(6), M(5, 1), L(4)),
     [WIDE_LOW_RESULT] = ROW(M(3, 2), M(3, 2), M(2, 2), M(2, 2), M(3, 2), M(3, 2), M(4, 2), M(3, 2), M(2, 2)),
     [WIDE_RESULT] = ROW(L(5), L(5), L(4), L(2), L(5), L(5), L(6), L(5), L(4)),
     [HIGH_RESULT] = ROW(L(5), L(5), M(4, 2), M(2, 4), L(5), L(5), L(6), L(5), L(4)),
     [LONG_RESULT] = ROW(M(5, 1), M(5, 1), M(5, 1), M(4, 2), M(5, 1), M(4, 1), L(6), M(5, 1), M(4, 2))},
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
