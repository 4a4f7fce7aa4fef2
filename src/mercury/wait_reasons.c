#include "mercury/wait_reasons.h"

#include "mercury/control_bits.h"
#include "schedule/blocks.h"

bool
ends_stretch(unsigned opcode)
{
    return is_direct_branch(opcode) || opcode == OP_RETURN || opcode == OP_BSYNC ||
           (opcode != OP_BSSY && opcode_table[opcode].traits.flags & (IS_LANDMARK | TOUCHES_ALL));
}

/* Those that wait for more than their registers. */
static bool
is_control(unsigned opcode)
{
    switch (opcode) {
    case OP_NOP:
    case OP_MEMBAR:
    case OP_ERRBAR:
    case OP_CGAERRBAR:
    case OP_CCTL:
    case OP_ENDCOLLECTIVE:
    case OP_BSSY:
    case OP_RETURN:
    case 0x942: /* BREAK, after which warps meet elsewhere */
    case 0x31c: /* barriers of a block */
    case 0x31d:
    case 0xb1d:
    case 0x95c: /* traps and sleeps */
    case 0x95d:
        return true;
    }
    return opcode_table[opcode].traits.flags & (SYNCHRONISES | COUNTS_DOWN | TOUCHES_ALL) ||
           ends_stretch(opcode);
}

static bool
is_start(const struct wait_flow *flow, uint32_t at)
{
    return flow->starts[at / WORD_BITS] >> at % WORD_BITS & 1;
}

/* Does a stretch of code end with it? What is moved into the registers of a return address belongs to the
   call. */
static bool
is_before_control(const struct wait_flow *flow, uint32_t at)
{
    enum { OP_MOVE_NUMBER = 0x802, MOST_MOVES = 4 };

    if (at + 1 >= flow->count || is_start(flow, at + 1))
        return true;
    for (uint32_t next = at + 1; next < flow->count && next <= at + 1 + MOST_MOVES; next++) {
        struct instruction one = instruction_of(flow, next);
        unsigned opcode = opcode_of(&one);
        if (opcode != OP_MOVE_NUMBER)
            return opcode == OP_LEPC || is_control(opcode);
    }
    return false;
}

bool
reason_of_wait(const struct wait_flow *flow, const struct event *event, unsigned number,
               struct reason *reason)
{
    struct instruction one = instruction_of(flow, event->at);
    unsigned opcode = opcode_of(&one);
    bool is_before = is_before_control(flow, event->at), is_own = event->takes >> number & 1;
    bool meets = opcode == OP_BSYNC || opcode == OP_WARPSYNC || opcode == OP_WARPSYNC_ALL ||
                 opcode_table[opcode].traits.flags & TOUCHES_ALL;

    *reason = (struct reason){
        .waiter = one,
        .number = number,
        .is_any = is_before || is_control(opcode),
        .is_any_waited_for = meets || is_before || is_own,
    };
    if (reason->is_any || is_own)
        return opcode != OP_ENDCOLLECTIVE;
    /* of textures it is not known how many operands they have */
    return is_described(&opcode_table[opcode], &one) && control_rules[opcode] &&
           !(opcode_table[opcode].traits.flags & FETCHES);
}

/* Are its registers all that is to be known of it? */
static bool
has_registers_alone(struct instruction one)
{
    const struct opcode_fields *fields = &opcode_table[opcode_of(&one)];

    return is_described(fields, &one) && !(fields->traits.flags & SYNCHRONISES);
}

static void
read_reason(struct reason *reason)
{
    struct sieves sieves = {0};

    if (is_described(&opcode_table[opcode_of(&reason->waiter)], &reason->waiter))
        sieves = sieves_of(&reason->waiter);
    reason->of_written = sieves.read | sieves.written;
    reason->of_read = sieves.written;
    reason->is_read = true;
}

static void
read_taker(struct event *taker, struct instruction one)
{
    taker->is_read = taker->is_for_all = true;
    taker->written = taker->read_late = 0;
    if (!has_registers_alone(one))
        return;
    struct sieves sieves = sieves_of(&one);
    taker->written = sieves.written;
    taker->read_late = sieves.read_late;
    /* an atomic operation without a result: waits for it are for its effect */
    taker->is_for_all = write_scoreboard(&one) != NO_SCOREBOARD && !sieves.written;
    /* of rare instructions not all operands may be known, nor how wide those of textures are */
    const struct opcode_fields *fields = &opcode_table[opcode_of(&one)];
    taker->is_for_all |= !control_rules[opcode_of(&one)] || fields->traits.flags & FETCHES;
}

/* Where the scoreboard is taken for results, operands have been read before they are there. */
bool
is_reason(const struct wait_flow *flow, struct event *taker, struct reason *reason,
          enum distance distance)
{
    if (reason->is_any_waited_for || (reason->is_any && distance == UNDER_WAY))
        return true;
    struct instruction one = instruction_of(flow, taker->at);
    if (!taker->is_read)
        read_taker(taker, one);
    if (!reason->is_read)
        read_reason(reason);
    bool has_results = write_scoreboard(&one) == reason->number;

    return taker->is_for_all || (has_results && taker->written & reason->of_written) ||
           taker->read_late & reason->of_read;
}
