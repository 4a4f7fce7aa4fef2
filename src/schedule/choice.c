#include "schedule/choice.h"

/* One scoreboard as a producer finds it. */
struct candidate {
    bool is_busy;
    bool has_outgoing_read; /* of this block, not waited for in it */
    bool has_outgoing_write;
    uint32_t next_wait; /* instruction, or NO_INSTRUCTION */
    uint32_t remaining; /* cycles until all that count on it should be done */
};

uint32_t
expected_latency(const struct code *code, uint32_t producer)
{
    const struct producer *who = &code->producers[producer];

    return who->reads ? code->operands[who->at].traits.read_latency
                      : code->operands[who->at].traits.write_latency;
}

static void
add_to_candidate(struct candidate *candidate, const struct block_facts *facts, uint32_t producer,
                 uint32_t now)
{
    const struct producer *who = &facts->code->producers[producer];
    uint32_t conflict = facts->conflict[producer];
    uint32_t issued = facts->code->issued[who->at],
             done = issued + expected_latency(facts->code, producer);

    candidate->is_busy = true;
    if (conflict > now && conflict < candidate->next_wait)
        candidate->next_wait = conflict;
    if (conflict == NO_INSTRUCTION && is_in_block(facts->code, who->at, facts->block))
        *(who->reads ? &candidate->has_outgoing_read : &candidate->has_outgoing_write) = true;
    /* What comes round a loop was issued earlier, though it stands later. */
    if (issued <= facts->code->issued[now] && done > facts->code->issued[now] &&
        done - facts->code->issued[now] > candidate->remaining)
        candidate->remaining = done - facts->code->issued[now];
}

static void
describe(const struct situation *situation, uint32_t now, struct candidate *candidates)
{
    const struct pending *pending = situation->pending;

    for (unsigned i = 0; i < SCOREBOARDS; i++)
        candidates[i] = (struct candidate){.next_wait = NO_INSTRUCTION};
    for (uint32_t i = 0; i < pending->list.count; i++) {
        unsigned number = pending->numbers[pending->list.at[i]];
        if (number < SCOREBOARDS)
            add_to_candidate(&candidates[number], situation->facts, pending->list.at[i], now);
    }
}

static bool
writes_uniform(const struct code *code, const struct producer *who)
{
    const struct operands *operands = &code->operands[who->at];

    return !who->reads && operands->written_count > 0 &&
           operands->written[0].first >= UNIFORM_REGISTERS;
}

/* For something that is waited for in another block, if at all. */
static struct choice
choose_outgoing(const struct situation *situation, uint32_t producer,
                const struct candidate *candidates)
{
    const struct producer *who = &situation->facts->code->producers[producer];
    unsigned class = producer_class(situation->facts->code, producer);
    unsigned first = situation->first, last = SCOREBOARDS - 1;

    if (!who->reads && class != SHORT_LATENCY)
        return (struct choice){last, IS_SHARED};
    bool may_join =
        who->reads && !(situation->facts->code->operands[who->at].traits.flags & SYNCHRONISES);
    for (unsigned i = 0; may_join && i < SCOREBOARDS; i++)
        if (candidates[i].has_outgoing_read && !candidates[i].has_outgoing_write &&
            candidates[i].next_wait == NO_INSTRUCTION)
            return (struct choice){i, JOINS};
    for (unsigned i = first; i < last; i++)
        if (!candidates[i].is_busy && !(situation->avoided >> i & 1))
            return (struct choice){i, IS_ALONE};
    for (unsigned i = first; i < last; i++)
        if (!candidates[i].is_busy)
            return (struct choice){i, IS_ALONE};
    if (candidates[first].next_wait == who->at + 1 || !writes_uniform(situation->facts->code, who))
        for (unsigned i = first; i < last; i++)
            if (candidates[i].next_wait == NO_INSTRUCTION)
                return (struct choice){i, IS_SHARED};
    for (unsigned i = first; i < last; i++)
        if (candidates[i].next_wait != who->at + 1)
            return (struct choice){i, IS_SHARED};
    return (struct choice){first, IS_SHARED};
}

/* What sharing costs: the others' next wait would come too early for this producer, or the others
   would keep its consumer waiting. */
static uint32_t
cost_of_sharing(const struct situation *situation, uint32_t producer,
                const struct candidate *candidate)
{
    const struct block_facts *facts = situation->facts;
    uint32_t now = facts->code->producers[producer].at, consumer = facts->conflict[producer];
    uint32_t until = facts->code->issued[consumer] - facts->code->issued[now];

    if (candidate->next_wait < consumer) {
        uint32_t needed = expected_latency(facts->code, producer);
        needed = needed > until ? needed : until;
        return needed - (facts->code->issued[candidate->next_wait] - facts->code->issued[now]);
    }
    return candidate->remaining > until ? candidate->remaining - until : 0;
}

static unsigned
choose_shared(const struct situation *situation, uint32_t producer,
              const struct candidate *candidates, unsigned first, unsigned end)
{
    unsigned best = first;
    uint32_t least = UINT32_MAX;

    for (unsigned i = first; i < end; i++) {
        uint32_t cost = cost_of_sharing(situation, producer, &candidates[i]);
        if (cost < least ||
            (cost == least && candidates[i].remaining < candidates[best].remaining)) {
            least = cost;
            best = i;
        }
    }
    return best;
}

struct choice
choose_scoreboard(const struct situation *situation, uint32_t producer)
{
    const struct block_facts *facts = situation->facts;
    const struct producer *who = &facts->code->producers[producer];
    unsigned class = producer_class(facts->code, producer);
    struct candidate candidates[SCOREBOARDS];

    if (class == ASYNC_GROUP)
        return (struct choice){0, IS_SHARED};
    describe(situation, who->at, candidates);
    if (facts->conflict[producer] == NO_INSTRUCTION)
        return choose_outgoing(situation, producer, candidates);
    if (who->reads)
        class = SHORT_LATENCY;
    if (class == TEXTURE)
        return (struct choice){SCOREBOARDS - 1, IS_SHARED};

    unsigned end = facts->keeps_last || situation->last_was_pending ? SCOREBOARDS - 1 : SCOREBOARDS;
    for (unsigned i = 0; i < end; i++)
        if (candidates[i].is_busy && candidates[i].next_wait == facts->conflict[producer])
            return (struct choice){i, JOINS};
    unsigned first = class == LONG_LATENCY ? 2 : situation->first;
    for (unsigned i = first; i < end; i++)
        if (!candidates[i].is_busy)
            return (struct choice){i, IS_ALONE};
    return (struct choice){choose_shared(situation, producer, candidates, first, end), IS_SHARED};
}
