#include "mercury/issue_clock.h"

#include "schedule/opcodes.h"

/* What is done for many instructions. */
#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t
later(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
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
need_result(const struct issue_clock *clock, struct need *need, time_stamp stamp,
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
    return unit == WIDE && place == field(instruction->high, 0, 8) + 1;
}

static void
need_operands(const struct issue_clock *clock, struct need *need,
              const struct instruction *instruction, const struct operands *operands,
              enum issue_unit unit)
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

/* A port that is free, and scoreboards that were counted up. */
INLINE uint32_t
need_port(const struct issue_clock *clock, struct instruction one, struct instruction last,
          const struct issue_facts *facts)
{
    uint32_t least = later(clock->before + 1, clock->free_at[facts->needs]);

    if (wait_mask(&one) && scoreboard_mask(&last) & wait_mask(&one))
        least = later(least, clock->before + LEAST_STALL_BEFORE_WAIT);
    return least;
}

static struct need
need_of(const struct issue_clock *clock, const struct instruction *instruction,
        const struct operands *operands, enum issue_unit unit)
{
    const struct issue_facts *facts = &clock->family->units[unit];
    struct instruction last = instruction_at(clock, clock->number - 1);
    uint32_t least = need_port(clock, *instruction, last, facts);
    struct need need = {least, least};

    need_operands(clock, &need, instruction, operands, unit);
    return need;
}

/* ---- what it leaves behind ---- */

/* Of instructions that hold up others than those of their own port. */
static void
hold_ports(struct issue_clock *clock, enum issue_unit unit)
{
    enum { PAUSED = 5, LONG = 2 };
    uint32_t until = clock->now + (unit == PAUSE ? PAUSED : LONG);

    for (unsigned port = NO_PORT; port < PORTS; port++)
        clock->free_at[port] = later(clock->free_at[port], until);
    if (unit == LONG_SUM)
        clock->free_at[ALU_PORT] = later(clock->free_at[ALU_PORT], until + 1);
}

INLINE void
write_uniform(struct issue_clock *clock, struct instruction one, unsigned code, time_stamp stamp)
{
    unsigned first = UNIFORM_REGISTERS + field(one.low, 16, 8);

    if (code == E1 || code == E2)
        clock->written[first] = stamp;
    if (code == E2)
        clock->written[first + 1] = stamp;
}

INLINE void
write_pair(struct issue_clock *clock, struct instruction one, unsigned code, unsigned first)
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
write_predicates(struct issue_clock *clock, struct instruction one, unsigned code, time_stamp stamp)
{
    unsigned which = (code & (W81 | W84)) | (code & UNI ? WRITES_UNIFORM : 0);

    clock->written[first_predicates[which] + field(one.high, 17, 3)] = stamp;
    clock->written[second_predicates[which] + field(one.high, 20, 3)] = stamp;
}

/* What is late needs no stamp: registers are waited for, and were written long before. */
INLINE void
write_results(struct issue_clock *clock, struct instruction one)
{
    enum { NOBODY = 255 };
    const struct opcode_fields *fields = &opcode_table[opcode_of(&one)];
    enum issue_unit unit = issue_units[opcode_of(&one)];
    const struct issue_facts *facts = &clock->family->units[unit];
    time_stamp stamp = clock->now << KIND_BITS | facts->result;
    unsigned first = (unsigned)(one.low >> 16 | fields->not_general) & UINT8_MAX;

    clock->free_at[facts->takes] = clock->now + facts->cycles;
    clock->written[facts->result != LATE_RESULT ? first : NOWHERE] = stamp;
    write_predicates(clock, one, fields->predicates, stamp);
    if (facts->flags & (SETS_PAIR | SETS_UNIFORM | HOLDS_ALL)) {
        if (facts->flags & SETS_PAIR)
            write_pair(clock, one, fields->at16, first);
        if (facts->flags & SETS_UNIFORM)
            write_uniform(clock, one, fields->at16, stamp);
        if (facts->flags & HOLDS_ALL)
            hold_ports(clock, unit);
    }
    clock->written[NOBODY] = 0;
}

/* ---- other reasons to wait, which are rare ---- */

/* Does one of the instructions before it that still have an effect read what is written now, or write it,
   too? */
static bool
is_ordered(const struct issue_clock *clock, const struct operands *operands)
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
may_wait(const struct issue_clock *clock, const struct instruction *instruction,
         const struct operands *operands)
{
    enum { READ_AGAIN = 2 };

    if (is_long_shift(instruction))
        return true;
    if (reads_uniform(operands) && clock->now - clock->before == READ_AGAIN)
        return true;
    return is_ordered(clock, operands);
}

/* ---- one instruction ---- */

/* Is it issued as soon as it can be, and not sooner? */
static bool
is_in_time(const struct issue_clock *clock, enum issue_unit unit)
{
    struct instruction one = instruction_at(clock, clock->number);
    struct operands operands;

    operands_of(&one, &operands);
    struct need need = need_of(clock, &one, &operands, unit);
    return clock->now >= need.least &&
           (clock->now <= need.most || may_wait(clock, &one, &operands));
}

/* What nearly all wait for: when it can be issued as far as general registers, the guard and its port decide. */
static uint32_t
usual_time(const struct issue_clock *clock, const struct issue_facts *facts)
{
    enum { ALWAYS = 7 };
    struct instruction one = instruction_at(clock, clock->number);
    struct instruction last = instruction_at(clock, clock->number - 1);
    const struct opcode_fields *fields = &opcode_table[opcode_of(&one)];
    const struct latency *by = &clock->family->latencies[0][facts->reader];
    uint64_t named = register_fields(&one) | fields->not_general;
    unsigned guard = guard_of(&one) & ALWAYS;
    uint32_t least = need_port(clock, one, last, facts);

    least = later(least, time_of(clock->written[named >> 8 & UINT8_MAX], by));
    least = later(least, time_of(clock->written[named >> 16 & UINT8_MAX], by));
    least = later(least, time_of(clock->written[named >> 32 & UINT8_MAX], by));
    if (guard != ALWAYS && !(fields->predicates & UNI))
        least = later(least, time_of(clock->written[PREDICATES + guard],
                                     &clock->family->latencies[0][AS_GUARD]));
    return least;
}

/* What was issued so many cycles before has no effect: from there on all is noted up to that instruction, which is behind
   the first one of its block. */
static void
note_up_to(struct issue_clock *clock, uint32_t number, uint32_t begin)
{
    enum { FEW = 8, LONG_AGO = 32 };
    uint32_t cycles = 0, from = number;

    if (clock->number < begin || number - clock->number > FEW) {
        while (from > begin && from > clock->number && cycles < LONG_AGO) {
            struct instruction one = instruction_at(clock, --from);
            cycles += stall_of(&one);
        }
        if (from != clock->number) { /* what was before is forgotten */
            clock->now += FORGOTTEN;
            clock->number = from;
        }
    }
    for (from = clock->number; from < number; from++) {
        struct instruction one = instruction_at(clock, from);

        write_results(clock, one);
        clock->before = clock->now;
        clock->now += stall_of(&one);
    }
    clock->number = number;
}

bool
comes_at_odd_time(struct issue_clock *clock, uint32_t number, uint32_t begin)
{
    note_up_to(clock, number, begin);
    struct instruction one = instruction_at(clock, number);
    enum issue_unit unit = issue_units[opcode_of(&one)];

    return usual_time(clock, &clock->family->units[unit]) != clock->now && !is_in_time(clock, unit);
}
