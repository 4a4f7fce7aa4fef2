#include "mercury/issue_times.h"

#include "mercury/issue_clock.h"
#include "schedule/blocks.h"

/* ---- code whose times are not known ---- */

/* Where control may come to from elsewhere, a bit for each instruction; NULL: that is not known. */
static uint64_t *
find_labels(const struct issue_clock *clock)
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
is_optimised(const struct issue_clock *clock)
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
find_short_stall(const struct issue_clock *clock)
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
is_excused(struct issue_clock *clock)
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

/* Most instructions are not asked. */
static __attribute__((noinline)) bool
is_odd(struct issue_clock *clock, uint32_t number, uint32_t begin)
{
    return comes_at_odd_time(clock, number, begin) && !is_excused(clock);
}

/* ---- the whole text ---- */

static inline unsigned
flags_of(const struct issue_clock *clock, struct instruction one)
{
    return clock->family->units[issue_units[opcode_of(&one)]].flags;
}

static bool
is_last_of_block(const struct issue_clock *clock, struct instruction one)
{
    unsigned flags = flags_of(clock, one);

    return flags & IS_TIMED ? flags & ENDS_BLOCK
                            : opcode_table[opcode_of(&one)].traits.flags & TOUCHES_ALL ||
                                  (may_hold_distance(&one) && transfers_control(&one));
}

/* What follows an instruction that is not known comes at any time: the first one of the next block. */
static __attribute__((noinline)) uint32_t
pass_block(const struct issue_clock *clock, uint32_t number)
{
    while (number < clock->count && !is_last_of_block(clock, instruction_at(clock, number)))
        number++;
    return number < clock->count ? number + 1 : number;
}

/* Is the block to be left, since it ends with the instruction, or nothing is known of its times? Moves and comparisons of
   64 bits, and loads that are part of a fence, have other times. Found without branches, which nobody could predict. */
static inline unsigned
leaves_block(struct instruction one, unsigned flags)
{
    enum { PAIR_AT = 16, OF_PAIRS_AT = 7, REGISTER_AT = 16, NOBODY = 0xff << REGISTER_AT };
    unsigned is_pair = (unsigned)(one.high >> (PAIR_AT - OF_PAIRS_AT));
    unsigned is_nobody = ((unsigned)one.low & NOBODY) == NOBODY;

    return ((flags ^ IS_TIMED) & (IS_TIMED | ENDS_BLOCK)) | (flags & is_pair & MAY_BE_OF_PAIRS) |
           (flags / MAY_BE_OF_FENCE & is_nobody);
}

/* Only where both are of the plainest units is it refused: what others hold up has forms that are rare. Of those that
   yield, stalls of a cycle or two are seen elsewhere. Most instructions are none of these. */
static inline unsigned
plain_if_stalling(struct instruction one, unsigned flags)
{
    enum { YIELD_AT = 45, PLAIN_AT = 3 };

    return flags & ~(unsigned)(one.high >> (YIELD_AT - PLAIN_AT)) & IS_PLAIN_UNIT;
}

/* The number of the instruction, or that of the end. */
static uint32_t
find_odd(struct issue_clock *clock)
{
    unsigned is_asked = 0; /* IS_PLAIN_UNIT */

    for (uint32_t i = 0, begin = 0, count = clock->count; i < count; i++) {
        struct instruction one = instruction_at(clock, i);
        unsigned flags = flags_of(clock, one);

        if (leaves_block(one, flags)) {
            begin = pass_block(clock, i);
            i = begin - 1;
            is_asked = 0;
            continue;
        }
        if (flags & is_asked && is_odd(clock, i, begin))
            return clock->has_unknown_times ? find_short_stall(clock) : i - 1;
        is_asked = plain_if_stalling(one, flags);
    }
    return clock->count;
}

struct issue_clock *
issue_clock_new(unsigned target, struct arena *scratch)
{
    struct issue_clock *clock = arena_zero(scratch, sizeof *clock);

    clock->family = issue_family_of(target);
    clock->scratch = scratch;
    return clock;
}

/* Times go on from one function to the next, so that all tables need not be cleared. */
static void
begin_text(struct issue_clock *clock, struct bytes text, uint32_t count)
{
    if (clock->now > LAST_TIME) {
        memset(clock->free_at, 0, sizeof clock->free_at);
        memset(clock->written, 0, sizeof clock->written);
        clock->now = 0;
    }
    clock->text = text;
    clock->count = count;
    clock->number = 0;
    clock->now += FORGOTTEN;
    clock->has_unknown_times = false;
    clock->labels = NULL;
}

size_t
find_odd_stall(struct issue_clock *clock, struct bytes text)
{
    uint32_t count = (uint32_t)(text.size / INSTRUCTION_SIZE);

    if (!clock->family)
        return SIZE_MAX;
    while (count && (read_u16(text.at + (size_t)(count - 1) * INSTRUCTION_SIZE) & 0xfff) == OP_NOP)
        count--; /* padding */
    struct arena_mark mark = arena_mark(clock->scratch);
    begin_text(clock, text, count);
    uint32_t odd = find_odd(clock);
    arena_release(clock->scratch, mark);
    return odd == count ? SIZE_MAX : (size_t)odd * INSTRUCTION_SIZE;
}
