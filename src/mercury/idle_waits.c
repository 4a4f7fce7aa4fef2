#include "mercury/idle_waits.h"

#include "mercury/wait_search.h"
#include "schedule/blocks.h"

/*
 * Nearly all reasons are on the straight way to the wait: what comes before it in the text, branches or not. One
 * sweep finds these; what is left is searched for.
 */

/* ---- events ---- */

static void
add_start(struct wait_flow *flow, int64_t at)
{
    if (at >= 0 && at < flow->count)
        flow->starts[at / WORD_BITS] |= (uint64_t)1 << at % WORD_BITS;
}

/* Code that is not optimised waits for the first two scoreboards at each instruction. */
static bool
is_unoptimised(const struct instruction *instruction)
{
    enum { FIRST_TWO = 3, LONGEST = 15, YIELDS_AT = 45 };

    return wait_mask(instruction) == FIRST_TWO && stall_of(instruction) == LONGEST &&
           !(instruction->high >> YIELDS_AT & 1);
}

/* Also those that decide where control goes on. Without branches, which nobody could predict. */
static void
list_events(struct wait_flow *flow)
{
    const uint8_t *text = flow->text.at;
    struct event *event = flow->events;
    uint32_t *turn = flow->turns;

    for (uint32_t i = 0, count = flow->count; i < count; i++, text += INSTRUCTION_SIZE) {
        struct instruction one = read_instruction(text);
        unsigned opcode = opcode_of(&one), is_turn = OPCODE_MAY_HOLD_DISTANCE(opcode);

        event->at = *turn = i;
        event += (unsigned)((one.high & SCOREBOARD_BITS) != NO_SCOREBOARD_BITS) | is_turn |
                 (opcode == OP_DEPBAR);
        turn += is_turn;
    }
    flow->event_count = (uint32_t)(event - flow->events);
    flow->turn_count = (uint32_t)(turn - flow->turns);
}

/* Where blocks begin; false if that is not known. Of the turns those are kept that branch to a place that they name. */
static bool
find_starts(struct wait_flow *flow)
{
    uint32_t branches = 0;

    add_start(flow, 0);
    for (uint32_t i = 0; i < flow->turn_count; i++) {
        uint32_t at = flow->turns[i];
        struct instruction one = instruction_of(flow, at);
        unsigned opcode = opcode_of(&one);

        if (opcode == OP_BRX || opcode == OP_BRX_UNIFORM)
            return false;
        add_start(flow, named_place(&one, at));
        flow->turns[branches] = at;
        branches += is_direct_branch(opcode);
        if (ends_stretch(opcode))
            add_start(flow, (int64_t)at + 1);
    }
    flow->turn_count = branches;
    return true;
}

static void
read_event(struct event *event, const struct instruction *one)
{
    unsigned flags = opcode_table[opcode_of(one)].traits.flags;

    event->takes = (uint8_t)scoreboard_mask(one);
    event->done = (uint8_t)waits_with_reason(one);
    event->is_read = false;
    if (flags & COUNTS_DOWN)
        event->done |= (uint8_t)(depbar_mask(one) & ~(unsigned)event->takes);
    if (flags & TOUCHES_ALL) { /* all is done when a function is called, and when it returns */
        event->takes = 0;
        event->done = ALL_SCOREBOARDS;
    }
}

/* ---- the straight way ---- */

/* By scoreboard, or what stands for none, the last of the events that took it: since the last wait for it, and those that
   this was for. An event is named by its number and one, and names the one before it. */
struct line {
    struct wait_flow *flow;
    uint32_t under_way[NO_SCOREBOARD + 1], waited_for[SCOREBOARDS];
    struct doubtful_wait *doubts;
    uint32_t doubt_count;
    int64_t effort; /* that is left; once it is spent, a reason is believed to be there */
};

/* Is one of the bytes the number of that register, which is one? */
static inline unsigned
names_register(uint64_t bytes, uint64_t number)
{
    const uint64_t each = 0x0101010101010101;

    return (zero_bytes(bytes ^ number * each) != 0) & (number != UINT8_MAX);
}

/* Do the fields of the instructions show at once that one waits for the other? So it is with most: they name the
   same general register. */
static inline unsigned
is_plain_reason(const struct instruction *waiter, const struct instruction *taker, unsigned number)
{
    enum { RESULT = UINT8_MAX };
    const struct opcode_fields *here = &opcode_table[opcode_of(waiter)];
    const struct opcode_fields *there = &opcode_table[opcode_of(taker)];
    uint64_t own = register_fields(waiter) | here->not_general;
    uint64_t others = register_fields(taker) | there->not_general;
    unsigned uses_result = (write_scoreboard(taker) == number) & (there->at16 <= DT) &
                           names_register(own, others & RESULT);
    unsigned overwrites = (here->at16 <= DT) & names_register(others | RESULT, own & RESULT);

    return (here->known & there->known & NAMES_PLAINLY) / NAMES_PLAINLY &
           !(here->traits.flags & SYNCHRONISES) & (uses_result | overwrites);
}

/* Of what took the scoreboard, from that one back. */
static bool
is_among(struct line *line, uint32_t taker, struct reason *reason, enum distance distance)
{
    while (taker) {
        struct event *event = &line->flow->events[taker - 1];
        if (is_reason(line->flow, event, reason, distance) || line->effort-- <= 0)
            return true;
        struct instruction one = instruction_of(line->flow, event->at);
        taker =
            write_scoreboard(&one) == reason->number ? event->next_results : event->next_operands;
    }
    return false;
}

/* Has a wait no reason on this way? */
static bool
is_doubtful(struct line *line, const struct event *event, const struct instruction *one,
            unsigned number)
{
    uint32_t last = line->under_way[number], before = line->waited_for[number];
    struct reason reason;

    if (last || before) {
        const struct event *latest = &line->flow->events[(last ? last : before) - 1];
        struct instruction taker = instruction_of(line->flow, latest->at);
        if (is_plain_reason(one, &taker, number) || event->takes >> number & 1)
            return false;
    }
    return reason_of_wait(line->flow, event, number, &reason) &&
           !is_among(line, last, &reason, UNDER_WAY) &&
           !is_among(line, before, &reason, WAITED_FOR);
}

/* All that is under way on the scoreboard is done. */
static inline void
finish(struct line *line, unsigned number)
{
    uint32_t last = line->under_way[number];

    line->waited_for[number] = last ? last : line->waited_for[number];
    line->under_way[number] = 0;
}

static inline void
follow_waits(struct line *line, const struct event *event, const struct instruction *one)
{
    unsigned waits = waits_with_reason(one), doubtful = 0;

    for (unsigned left = waits; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        if (is_doubtful(line, event, one, number))
            doubtful |= 1u << number;
        finish(line, number);
    }
    for (unsigned left = event->done & ~waits; left; left &= left - 1)
        finish(line, (unsigned)__builtin_ctz(left));
    if (doubtful)
        line->doubts[line->doubt_count++] =
            (struct doubtful_wait){(uint32_t)(event - line->flow->events), doubtful};
}

/* Without branches, which nobody could predict. */
static inline void
take_scoreboards(struct line *line, struct event *event, const struct instruction *one)
{
    unsigned results = event->takes ? write_scoreboard(one) : NO_SCOREBOARD;
    unsigned operands = event->takes ? read_scoreboard(one) : NO_SCOREBOARD;
    uint32_t name = (uint32_t)(event - line->flow->events) + 1;

    event->next_results = line->under_way[results];
    event->next_operands = line->under_way[operands];
    line->under_way[results] = line->under_way[operands] = name;
}

/* All waits without a reason on the straight way become doubts. False if it is not known what instructions do. */
static bool
follow_line(struct line *line)
{
    struct wait_flow *flow = line->flow;

    for (struct event *event = flow->events, *end = event + flow->event_count; event < end;
         event++) {
        struct instruction one = instruction_of(flow, event->at);

        if (is_unoptimised(&one))
            return false;
        read_event(event, &one);
        follow_waits(line, event, &one);
        take_scoreboards(line, event, &one);
    }
    return true;
}

/* ---- the whole function ---- */

static size_t
find_idle_place(struct wait_flow *flow, struct arena *scratch)
{
    enum { LEAST_EFFORT = 100000, EFFORT_PER_INSTRUCTION = 100 };
    size_t count = flow->count;
    struct line line = {.flow = flow,
                        .effort = LEAST_EFFORT + (int64_t)count * EFFORT_PER_INSTRUCTION};

    flow->events = arena_alloc(scratch, (count + 1) * sizeof *flow->events);
    flow->turns = arena_alloc(scratch, (count + 1) * sizeof *flow->turns);
    list_events(flow);
    flow->starts = arena_array(scratch, count / WORD_BITS + 1, sizeof *flow->starts);
    if (!find_starts(flow))
        return SIZE_MAX;
    line.doubts = arena_alloc(scratch, flow->event_count * sizeof *line.doubts);
    if (!follow_line(&line))
        return SIZE_MAX;
    const struct doubtful_wait *idle =
        line.doubt_count ? find_idle_among(flow, line.doubts, line.doubt_count, scratch) : NULL;
    return idle ? (size_t)flow->events[idle->event].at * INSTRUCTION_SIZE : SIZE_MAX;
}

size_t
find_idle_wait(struct bytes text, struct arena *scratch)
{
    enum { MOST_INSTRUCTIONS = 1 << 20 };
    size_t count = text.size / INSTRUCTION_SIZE;
    struct wait_flow flow = {.text = text, .count = (uint32_t)count};

    if (!count || count > MOST_INSTRUCTIONS)
        return SIZE_MAX;
    struct arena_mark mark = arena_mark(scratch);
    size_t place = find_idle_place(&flow, scratch);
    arena_release(scratch, mark);
    return place;
}
