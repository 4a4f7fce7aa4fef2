#include "mercury/issue_times.h"

#include "mercury/issue_units.h"
#include "schedule/blocks.h"
#include "schedule/opcodes.h"

/* When a register was written, in cycles, and by what: a number of enum result_kind in the last bits. */
typedef uint32_t time_stamp;
enum { KIND_BITS = 4, KIND_MASK = (1 << KIND_BITS) - 1 };

/* What happened longer ago than so many cycles has no effect any more. */
enum { FORGOTTEN = 64, LAST_TIME = 1 << 26 };

/* Tables that every instruction writes to have a place for those that have nothing to write. */
enum { NOWHERE = REGISTER_COUNT, PLACES = REGISTER_COUNT + 8 };

struct clock {
    const struct issue_family *family;
    struct arena *scratch;
    struct bytes text;
    uint32_t count;  /* of instructions, without padding */
    uint32_t number; /* of the one that is looked at */
    uint32_t now;    /* when it is issued */
    uint32_t before; /* when the one before it was */
    bool has_unknown_times;
    uint64_t *labels; /* NULL: not needed yet */
    uint32_t free_at[PORTS];
    time_stamp written[PLACES];
};

static struct instruction
instruction_at(const struct clock *clock, uint32_t number)
{
    return read_instruction(clock->text.at + (size_t)number * INSTRUCTION_SIZE);
}

/* What is done for every instruction. */
#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t
later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* On some targets nothing is known of its times. */
INLINE bool
is_timed(const struct issue_facts *facts)
{
    return facts->needs | facts->result;
}

/* Moves and comparisons of 64 bits, and loads that are part of a fence. */
INLINE bool
is_other_form(struct instruction one)
{
    enum { PAIR_AT = 16, NOBODY = 255, LOAD_SHARED = 0x984, MOV = 0x02, ISETP = 0x0c };
    unsigned opcode = opcode_of(&one), operation = opcode % 0x200;

    if (opcode == LOAD_SHARED)
        return field(one.low, 16, 8) == NOBODY;
    return field(one.high, PAIR_AT, 1) && (operation == MOV || operation == ISETP);
}

/* ---- what an instruction needs ---- */

struct need {
    uint32_t least, most; /* when it may be issued */
};

/* When a result is there; latencies are those for a reader. */
INLINE uint32_t
time_of(time_stamp stamp, const struct latency *by)
{
    return (stamp >> KIND_BITS) + by[(size_t)(stamp & KIND_MASK) * READERS].least;
}

static void
need_result(const struct clock *clock, struct need *need, time_stamp stamp,
            enum result_reader reader)
{
    struct latency latency = clock->family->latencies[stamp & KIND_MASK][reader];
    uint32_t there = (stamp >> KIND_BITS) + latency.least;

    need->least = later(need->least, there);
    need->most = later(need->most, there + latency.more);
}

static bool
is_wide_sum(enum issue_unit unit, const struct instruction *instruction, unsigned place)
{
    return (unit == WIDE || unit == HIGH) && place == field(instruction->high, 0, 8) + 1;
}

static void
need_operands(const struct clock *clock, struct need *need, const struct instruction *instruction,
              const struct operands *operands, enum issue_unit unit)
{
    enum result_reader usual = clock->family->units[unit].reader;
    unsigned guard = (guard_of(instruction) & 7) + PREDICATES;

    for (unsigned k = 0; k < operands->read_count; k++) {
        unsigned first = operands->read[k].first, end = first + operands->read[k].count;
        for (unsigned place = first; place < end; place++) {
            enum result_reader reader = usual;
            if (place == guard && first == guard)
                reader = AS_GUARD;
            else if (place > first && is_wide_sum(unit, instruction, place))
                reader = BY_WIDE_UPPER;
            need_result(clock, need, clock->written[place], reader);
        }
    }
}

/* What comes late must not be overtaken by what is about to be written. */
static void
need_order(const struct clock *clock, struct need *need, const struct operands *operands)
{
    enum { WRITTEN_AFTER = 6, DOUBLE_AFTER = 10 };

    for (unsigned k = 0; k < operands->written_count; k++) {
        unsigned first = operands->written[k].first, end = first + operands->written[k].count;
        for (unsigned place = first; place < end && place < UNIFORM_REGISTERS; place++) {
            time_stamp stamp = clock->written[place];
            uint32_t after = (stamp & KIND_MASK) == DOUBLE_RESULT ? DOUBLE_AFTER : WRITTEN_AFTER;
            if (!(stamp & KIND_MASK))
                continue;
            need->least = later(need->least, (stamp >> KIND_BITS) + after);
            need->most = later(need->most, need->least + 1);
        }
    }
}

/* A port that is free, and scoreboards that were counted up. */
INLINE uint32_t
need_port(const struct clock *clock, struct instruction one, struct instruction last,
          const struct issue_facts *facts)
{
    uint32_t least = later(clock->before + 1, clock->free_at[facts->needs]);

    if (wait_mask(&one) && scoreboard_mask(&last) & wait_mask(&one))
        least = later(least, clock->before + LEAST_STALL_BEFORE_WAIT);
    return least;
}

static struct need
need_of(const struct clock *clock, const struct instruction *instruction,
        const struct operands *operands, enum issue_unit unit)
{
    const struct issue_facts *facts = &clock->family->units[unit];
    struct instruction last = instruction_at(clock, clock->number - 1);
    uint32_t least = need_port(clock, *instruction, last, facts);
    struct need need = {least, least};

    /* A wait between may have taken long. */
    if (facts->needs == FUNCTION_PORT || facts->needs == CONSTANT_PORT)
        need.least = clock->before + 1;
    need_operands(clock, &need, instruction, operands, unit);
    if (facts->flags & IS_LATE)
        need_order(clock, &need, operands);
    return need;
}

/* ---- what it leaves behind ---- */

/* Of instructions that hold up others than those of their own port. */
static void
hold_ports(struct clock *clock, enum issue_unit unit)
{
    enum { PAUSED = 5, BARRED = 6, LONG = 2 };
    static const uint8_t barred[] = {OTHER_PORT, MEMORY_PORT, BRANCH_PORT, FUNCTION_PORT,
                                     DOUBLE_PORT};
    uint32_t until = clock->now + (unit == PAUSE ? PAUSED : LONG);

    if (unit == BARRIER) {
        for (size_t i = 0; i < sizeof barred; i++)
            clock->free_at[barred[i]] = clock->now + BARRED;
        return;
    }
    for (unsigned port = NO_PORT; port < PORTS; port++)
        clock->free_at[port] = later(clock->free_at[port], until);
    if (unit == LONG_SUM)
        clock->free_at[ALU_PORT] = later(clock->free_at[ALU_PORT], until + 1);
}

INLINE void
write_uniform(struct clock *clock, struct instruction one, unsigned code, time_stamp stamp)
{
    unsigned first = UNIFORM_REGISTERS + field(one.low, 16, 8);

    if (code == E1 || code == E2)
        clock->written[first] = stamp;
    if (code == E2)
        clock->written[first + 1] = stamp;
}

INLINE void
write_pair(struct clock *clock, struct instruction one, unsigned code, unsigned first)
{
    enum { PAIR_AT = 16 };

    if (code == DV && !field(one.high, PAIR_AT, 1))
        return;
    clock->written[first + 1] = clock->written[first];
    if ((clock->written[first] & KIND_MASK) == WIDE_RESULT)
        clock->written[first] = clock->now << KIND_BITS | WIDE_LOW_RESULT;
}

/* Where predicates are written, by which of the two fields name one and by their file. */
enum { WRITES_UNIFORM = 4 };
static const uint16_t first_predicates[] = {[W81] = PREDICATES,
                                            [W81 | W84] = PREDICATES,
                                            [W81 | WRITES_UNIFORM] = UNIFORM_PREDICATES,
                                            [W81 | W84 | WRITES_UNIFORM] = UNIFORM_PREDICATES,
                                            [0] = NOWHERE,
                                            [W84] = NOWHERE,
                                            [WRITES_UNIFORM] = NOWHERE,
                                            [W84 | WRITES_UNIFORM] = NOWHERE};
static const uint16_t second_predicates[] = {[W84] = PREDICATES,
                                             [W81 | W84] = PREDICATES,
                                             [W84 | WRITES_UNIFORM] = UNIFORM_PREDICATES,
                                             [W81 | W84 | WRITES_UNIFORM] = UNIFORM_PREDICATES,
                                             [0] = NOWHERE,
                                             [W81] = NOWHERE,
                                             [WRITES_UNIFORM] = NOWHERE,
                                             [W81 | WRITES_UNIFORM] = NOWHERE};

INLINE void
write_predicates(struct clock *clock, struct instruction one, unsigned code, time_stamp stamp)
{
    unsigned which = (code & (W81 | W84)) | (code & UNI ? WRITES_UNIFORM : 0);

    clock->written[first_predicates[which] + field(one.high, 17, 3)] = stamp;
    clock->written[second_predicates[which] + field(one.high, 20, 3)] = stamp;
}

/* What is late needs no stamp: registers are waited for, and were written long before. Without branches, where
   nobody could predict them. */
INLINE void
write_results(struct clock *clock, struct instruction one, const struct opcode_fields *fields,
              const struct issue_facts *facts)
{
    enum { NOBODY = 255 };
    time_stamp stamp = clock->now << KIND_BITS | facts->result;
    unsigned first = (unsigned)(one.low >> 16 | fields->not_general) & UINT8_MAX;

    clock->written[facts->result != LATE_RESULT ? first : NOWHERE] = stamp;
    if (facts->flags & SETS_PAIR)
        write_pair(clock, one, fields->at16, first);
    else if (facts->flags & SETS_UNIFORM)
        write_uniform(clock, one, fields->at16, stamp);
    clock->written[NOBODY] = 0;
    write_predicates(clock, one, fields->predicates, stamp);
}

/* ---- other reasons to wait, which are rare ---- */

/* Does one of the instructions before it that still have an effect read what is written now, or write it,
   too? */
static bool
is_ordered(const struct clock *clock, const struct operands *operands)
{
    enum { LOOKED_AT = 16, WRITTEN = 17, READ = 4 };
    uint32_t age = clock->now - clock->before;

    for (uint32_t k = 1; k <= LOOKED_AT && k <= clock->number && age <= WRITTEN; k++) {
        struct instruction other = instruction_at(clock, clock->number - k);
        struct operands others;

        if (!is_described(&opcode_table[opcode_of(&other)], &other))
            return true;
        operands_of(&other, &others);
        if (writes_the_same(&others, operands) ||
            (age <= READ && writes_what_is_read(operands, &others)))
            return true;
        if (k < clock->number) {
            other = instruction_at(clock, clock->number - k - 1);
            age += stall_of(&other);
        }
    }
    return false;
}

static bool
reads_uniform(const struct operands *operands)
{
    for (unsigned k = 0; k < operands->read_count; k++)
        if (operands->read[k].first >= UNIFORM_REGISTERS && operands->read[k].first < PREDICATES)
            return true;
    return false;
}

/* Of two registers in a row, of which the table of operands names one. */
static bool
is_long_shift(const struct instruction *instruction)
{
    enum { SHIFT = 0x19, IS_SHORT_AT = 10 };

    return opcode_of(instruction) % 0x200 == SHIFT && !field(instruction->high, IS_SHORT_AT, 1);
}

static bool
may_wait(const struct clock *clock, const struct instruction *instruction,
         const struct operands *operands, enum issue_unit unit)
{
    enum { READ_AGAIN = 2 };

    if (clock->family->units[unit].flags & MAY_STALL || is_long_shift(instruction))
        return true;
    if (reads_uniform(operands) && clock->now - clock->before == READ_AGAIN)
        return true;
    return is_ordered(clock, operands);
}

/* ---- code whose times are not known ---- */

/* Where control may come to from elsewhere, a bit for each instruction; NULL: that is not known. */
static uint64_t *
find_labels(const struct clock *clock)
{
    uint64_t *labels = arena_array(clock->scratch, clock->count / 64 + 1, sizeof *labels);

    for (uint32_t i = 0; i < clock->count; i++) {
        struct instruction one = instruction_at(clock, i);
        unsigned opcode = opcode_of(&one);

        if (!OPCODE_MAY_HOLD_DISTANCE(opcode))
            continue;
        if (opcode == OP_BRX || opcode == OP_BRX_UNIFORM || opcode == OP_LEPC)
            return NULL;
        int64_t target = named_place(&one, i);
        if (target >= 0 && target < clock->count)
            labels[target / 64] |= (uint64_t)1 << target % 64;
    }
    return labels;
}

enum { LONGEST_STALL = 15 };

/* Code that is not optimised waits for the first two scoreboards at every other place. */
static bool
is_optimised(const struct clock *clock)
{
    enum { FIRST_TWO = 3, MOST = 4 };
    uint32_t waits = 0;

    for (uint32_t i = 0; i < clock->count; i++) {
        struct instruction one = instruction_at(clock, i);
        waits += (wait_mask(&one) & FIRST_TWO) == FIRST_TWO;
    }
    return waits <= clock->count / MOST;
}

/* The last branch, products of matrices and parts of fences do not stall for as long as all others. */
static bool
may_be_short(const struct instruction *instruction)
{
    static const uint16_t opcodes[] = {OP_IMMA,   OP_HMMA, 0x23f,   OP_QMMA,   OP_NOP,   OP_DEPBAR,
                                       OP_RETURN, 0x984,   OP_CCTL, OP_MEMBAR, OP_ERRBAR};

    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (opcodes[i] == opcode_of(instruction))
            return true;
    return opcode_of(instruction) == OP_BRA && !stall_of(instruction);
}

/* In code that is not optimised all instructions stall for as long as they can. */
static uint32_t
find_short_stall(const struct clock *clock)
{
    enum { LEAST = 3 };
    uint32_t longest = 0, odd = clock->count;

    if (is_optimised(clock))
        return odd;
    for (uint32_t i = clock->count; i-- > 0;) {
        struct instruction one = instruction_at(clock, i);
        longest += stall_of(&one) == LONGEST_STALL;
        if (stall_of(&one) != LONGEST_STALL && !may_be_short(&one))
            odd = i;
    }
    return longest > clock->count / LEAST ? odd : clock->count;
}

/* Where control comes to from elsewhere, all that is under way may have to be waited for; and what was
   busy before is not known there. */
static bool
is_excused(struct clock *clock)
{
    enum { LOOKED_AT = 8 };

    if (!clock->labels) {
        clock->labels = is_optimised(clock) ? find_labels(clock) : NULL;
        clock->has_unknown_times = !clock->labels;
    }
    if (clock->has_unknown_times)
        return false;
    for (uint32_t k = 0; k < LOOKED_AT && k < clock->number; k++) {
        uint32_t number = clock->number - k;
        if (clock->labels[number / 64] >> number % 64 & 1)
            return true;
    }
    return false;
}

/* ---- the whole text ---- */

/* Does a block end with the instruction? */
static bool
is_last_of_block(struct instruction one, const struct issue_facts *facts)
{
    if (is_timed(facts))
        return facts->flags & ENDS_BLOCK;
    return opcode_table[opcode_of(&one)].traits.flags & TOUCHES_ALL ||
           (may_hold_distance(&one) && transfers_control(&one));
}

/* What follows an instruction that is not known comes at any time: goes on to the last one of the block. */
static void
pass_block(struct clock *clock)
{
    while (clock->number < clock->count) {
        struct instruction one = instruction_at(clock, clock->number++);

        clock->now += stall_of(&one);
        if (is_last_of_block(one, &clock->family->units[issue_units[opcode_of(&one)]]))
            return;
    }
}

/* Is it issued as soon as it can be, and not sooner? */
static bool
is_in_time(struct clock *clock, enum issue_unit unit)
{
    struct instruction one = instruction_at(clock, clock->number);
    struct operands operands;

    operands_of(&one, &operands);
    struct need need = need_of(clock, &one, &operands, unit);
    if (clock->now >= need.least &&
        (clock->now <= need.most || may_wait(clock, &one, &operands, unit)))
        return true;
    return is_excused(clock);
}

/* What nearly all wait for: when it can be issued as far as general registers, the guard and its port decide. */
INLINE uint32_t
usual_time(const struct clock *clock, struct instruction one, struct instruction last,
           const struct opcode_fields *fields, const struct issue_facts *facts)
{
    enum { NOBODY = 255, ALWAYS = 7 };
    const struct latency *by = &clock->family->latencies[0][facts->reader];
    uint64_t named = register_fields(&one) | fields->not_general;
    unsigned address = named >> 8 & UINT8_MAX, guard = guard_of(&one) & ALWAYS;
    uint32_t least = need_port(clock, one, last, facts);

    least = later(least, time_of(clock->written[address], by));
    least = later(least, time_of(clock->written[named >> 16 & UINT8_MAX], by));
    least = later(least, time_of(clock->written[named >> 32 & UINT8_MAX], by));
    if (facts->reader == BY_MEMORY && address != NOBODY)
        least = later(least, time_of(clock->written[address + 1], by));
    if (guard != ALWAYS && !(fields->predicates & UNI))
        least = later(least, time_of(clock->written[PREDICATES + guard],
                                     &clock->family->latencies[0][AS_GUARD]));
    return least;
}

/* Only where both are of the plainest units is it refused: what others hold up has forms that are rare. Of those that
   yield, stalls of a cycle or two are seen elsewhere. */
INLINE bool
is_plain(enum issue_unit unit)
{
    enum { PLAIN = 1 << ALU | 1 << MOVE | 1 << FLOAT | 1 << PRODUCT | 1 << WIDE | 1 << VECTOR_SUM };

    return (uint64_t)PLAIN >> unit & 1;
}

INLINE bool
yields(struct instruction one)
{
    enum { YIELD_AT = 45 };

    return field(one.high, YIELD_AT, 1);
}

INLINE bool
is_known(const struct issue_facts *facts, struct instruction one)
{
    return is_timed(facts) && !(facts->flags & HAS_FORMS && is_other_form(one));
}

/* One block, up to its end or to an instruction that is odd: then false. */
static bool
follow_block(struct clock *clock)
{
    struct instruction last = {0};
    bool is_asked = false; /* the one before is plain and does not yield */

    while (clock->number < clock->count && clock->now < LAST_TIME) {
        struct instruction one = instruction_at(clock, clock->number);
        const struct opcode_fields *fields = &opcode_table[opcode_of(&one)];
        enum issue_unit unit = issue_units[opcode_of(&one)];
        const struct issue_facts *facts = &clock->family->units[unit];

        if (!is_known(facts, one)) {
            pass_block(clock);
            return true;
        }
        if (is_asked && is_plain(unit) &&
            usual_time(clock, one, last, fields, facts) != clock->now && !is_in_time(clock, unit))
            return false;
        clock->free_at[facts->takes] = clock->now + facts->cycles;
        if (facts->flags & HOLDS_ALL)
            hold_ports(clock, unit);
        write_results(clock, one, fields, facts);
        is_asked = is_plain(unit) && !yields(one);
        last = one;
        clock->before = clock->now;
        clock->now += stall_of(&one);
        clock->number++;
        if (facts->flags & ENDS_BLOCK)
            return true;
    }
    return true;
}

/* The number of the instruction, or that of the end. */
static uint32_t
find_odd(struct clock *clock)
{
    while (clock->number < clock->count && clock->now < LAST_TIME) {
        clock->now += FORGOTTEN;
        if (!follow_block(clock))
            return clock->has_unknown_times ? find_short_stall(clock) : clock->number - 1;
    }
    return clock->count;
}

size_t
find_odd_stall(struct bytes text, unsigned target, struct arena *scratch)
{
    struct arena_mark mark = arena_mark(scratch);
    uint32_t count = (uint32_t)(text.size / INSTRUCTION_SIZE);
    struct clock clock = {.family = issue_family_of(target), .scratch = scratch, .text = text};

    while (count && (read_u16(text.at + (size_t)(count - 1) * INSTRUCTION_SIZE) & 0xfff) == OP_NOP)
        count--; /* padding */
    clock.count = count;
    uint32_t odd = clock.family ? find_odd(&clock) : count;
    arena_release(scratch, mark);
    return odd == count ? SIZE_MAX : (size_t)odd * INSTRUCTION_SIZE;
}
