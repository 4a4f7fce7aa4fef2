#include "schedule/choice.h"

/* For what is slow and waited for in its block. */
enum { FIRST_OF_SLOW = 2 };

uint32_t
expected_latency(const struct code *code, uint32_t producer)
{
    const struct producer *who = &code->producers[producer];

    return who->reads ? traits_at(code, who->at)->read_latency
                      : write_latency_of(&code->instructions[who->at]);
}

/* The first conflict behind an instruction of what counts on a scoreboard. */
static uint32_t
next_conflict(const struct producer_list *list, const struct block_facts *facts, uint32_t first)
{
    uint32_t next = NO_INSTRUCTION;

    spend(facts->code, list->count);
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t conflict = facts->conflict[list->at[i]];
        if (conflict >= first && conflict < next)
            next = conflict;
    }
    return next;
}

/* What comes from other blocks is no outgoing one of this. */
void
scene_begin(struct scene *scene, const struct pending *pending, const struct block_facts *facts)
{
    scene->outgoing_reads = scene->outgoing_writes = 0;
    for (unsigned i = 0; i < SCOREBOARDS; i++) {
        scene->next_wait[i] = NO_INSTRUCTION;
        scene->done[i] = 0;
    }
    for (unsigned left = pending->busy; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        scene->next_wait[number] = next_conflict(&pending->on[number], facts, 0);
    }
    scene->soonest = 0;
}

struct candidate
candidate_of(const struct block_facts *facts, uint32_t producer)
{
    const struct code *code = facts->code;

    return (struct candidate){
        .at = code->producers[producer].at,
        .conflict = facts->conflict[producer],
        .latency = expected_latency(code, producer),
        .class = producer_class(code, producer),
        .reads = code->producers[producer].reads,
    };
}

void
scene_issue(struct scene *scene, const struct code *code, const struct candidate *candidate,
            unsigned number)
{
    uint32_t done = code->issued[candidate->at] + candidate->latency;

    if (done > scene->done[number])
        scene->done[number] = done;
    if (candidate->conflict == NO_INSTRUCTION)
        *(candidate->reads ? &scene->outgoing_reads : &scene->outgoing_writes) |= 1u << number;
    else if (candidate->conflict < scene->next_wait[number])
        scene->next_wait[number] = candidate->conflict;
    if (candidate->conflict < scene->soonest)
        scene->soonest = candidate->conflict;
}

void
scene_wait(struct scene *scene, unsigned mask)
{
    scene->outgoing_reads &= ~mask;
    scene->outgoing_writes &= ~mask;
    for (; mask; mask &= mask - 1) {
        unsigned number = (unsigned)__builtin_ctz(mask);
        scene->next_wait[number] = NO_INSTRUCTION;
        scene->done[number] = 0;
    }
}

void
scene_advance(struct scene *scene, const struct pending *pending, const struct block_facts *facts,
              uint32_t now)
{
    if (now < scene->soonest)
        return;
    scene->soonest = NO_INSTRUCTION;
    for (unsigned i = 0; i < SCOREBOARDS; i++) {
        if (scene->next_wait[i] <= now)
            scene->next_wait[i] = next_conflict(&pending->on[i], facts, now + 1);
        if (scene->next_wait[i] < scene->soonest)
            scene->soonest = scene->next_wait[i];
    }
}

/* Cycles until all that count on a scoreboard should be done. What other blocks issued counts as done. */
static uint32_t
remaining_on(const struct situation *situation, uint32_t now, unsigned number)
{
    uint32_t done = situation->scene->done[number], cycle = situation->facts->code->issued[now];

    return done > cycle ? done - cycle : 0;
}

/* Cycles until the next wait for each scoreboard, which comes when all that count on it are done; a
   wait delays those behind it. */
static void
find_wait_times(const struct situation *situation, uint32_t now, uint32_t times[SCOREBOARDS])
{
    const struct scene *scene = situation->scene;
    const struct code *code = situation->facts->code;
    uint32_t remaining[SCOREBOARDS], delay = 0;
    unsigned left = ALL_SCOREBOARDS;

    for (unsigned i = 0; i < SCOREBOARDS; i++) {
        times[i] = UINT32_MAX;
        remaining[i] = remaining_on(situation, now, i);
        if (scene->next_wait[i] == NO_INSTRUCTION)
            left &= ~(1u << i);
    }
    while (left) {
        unsigned next = (unsigned)__builtin_ctz(left);
        for (unsigned i = next + 1; i < SCOREBOARDS; i++)
            if (left >> i & 1 && scene->next_wait[i] < scene->next_wait[next])
                next = i;
        uint32_t at = code->issued[scene->next_wait[next]] - code->issued[now] + delay;
        times[next] = at > remaining[next] ? at : remaining[next];
        delay += times[next] - at;
        left &= ~(1u << next);
    }
}

/* The last scoreboard is left out if the kernel or the block has something for which it is kept. */
static unsigned
end_of_shared(const struct situation *situation)
{
    const struct block_facts *facts = situation->facts;
    bool is_kept = facts->code->has_fetches || facts->keeps_last ||
                   (situation->last_was_pending && facts->has_slow_results);
    return is_kept ? SCOREBOARDS - 1 : SCOREBOARDS;
}

/* All are taken, but perhaps the last, which is kept: the lowest where the others are waited for late
   enough for this one too. */
static unsigned
share_outgoing(const struct situation *situation, const struct candidate *candidate, unsigned first)
{
    uint32_t latency = candidate->latency, least = UINT32_MAX, times[SCOREBOARDS];
    unsigned best = first;

    find_wait_times(situation, candidate->at, times);
    for (unsigned i = first; i < end_of_shared(situation); i++) {
        uint32_t cost = latency > times[i] ? latency - times[i] : 0;
        if (!cost && situation->pending->busy >> i & 1)
            return i;
        if (cost && cost < least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

/* For something that is waited for in another block, if at all. */
static struct choice
choose_outgoing(const struct situation *situation, const struct candidate *candidate)
{
    const struct scene *scene = situation->scene;
    unsigned busy = situation->pending->busy;
    unsigned avoided = candidate->at < situation->facts->collective_end ? 0 : situation->avoided;
    bool is_slow = !candidate->reads && candidate->class != SHORT_LATENCY;
    bool is_last_kept = situation->facts->has_slow_results;
    unsigned first = is_slow ? FIRST_OF_SLOW : situation->first;
    unsigned end = is_last_kept ? SCOREBOARDS - 1 : SCOREBOARDS;

    if (is_slow && is_last_kept)
        return (struct choice){SCOREBOARDS - 1, IS_SHARED};
    bool may_join = !situation->keeps_apart && candidate->reads &&
                    !(traits_at(situation->facts->code, candidate->at)->flags & SYNCHRONISES);
    for (unsigned i = 0; may_join && i < SCOREBOARDS; i++)
        if ((scene->outgoing_reads & ~scene->outgoing_writes) >> i & 1 &&
            scene->next_wait[i] == NO_INSTRUCTION)
            return (struct choice){i, JOINS};
    unsigned free = ~busy & ((1u << end) - 1) & ~((1u << first) - 1);
    if (free)
        return (struct choice){(unsigned)__builtin_ctz(free & ~avoided ? free & ~avoided : free),
                               IS_ALONE};
    return (struct choice){share_outgoing(situation, candidate, first), IS_SHARED};
}

/* What sharing costs: the others' next wait would come too early for this producer, or the others
   would keep its consumer waiting. */
static uint32_t
cost_of_sharing(const struct situation *situation, const struct candidate *candidate,
                uint32_t next_wait, uint32_t remaining)
{
    const uint32_t *issued = situation->facts->code->issued;
    uint32_t now = candidate->at, consumer = candidate->conflict;
    uint32_t until = issued[consumer] - issued[now];

    if (next_wait < consumer) {
        uint32_t needed = candidate->latency > until ? candidate->latency : until;
        return needed - (issued[next_wait] - issued[now]);
    }
    return remaining > until ? remaining - until : 0;
}

static unsigned
choose_shared(const struct situation *situation, const struct candidate *candidate, unsigned first,
              unsigned end)
{
    uint32_t least = UINT32_MAX, least_remaining = UINT32_MAX;
    unsigned best = first;

    for (unsigned i = first; i < end; i++) {
        uint32_t remaining = remaining_on(situation, candidate->at, i);
        uint32_t cost =
            cost_of_sharing(situation, candidate, situation->scene->next_wait[i], remaining);
        if (cost < least || (cost == least && remaining < least_remaining)) {
            least = cost;
            least_remaining = remaining;
            best = i;
        }
    }
    return best;
}

struct choice
choose_scoreboard(const struct situation *situation, const struct candidate *candidate)
{
    const uint32_t *next_wait = situation->scene->next_wait;
    unsigned class = candidate->class;

    if (class == ASYNC_GROUP)
        return (struct choice){0, IS_SHARED};
    if (candidate->conflict == NO_INSTRUCTION)
        return choose_outgoing(situation, candidate);
    if (candidate->reads)
        class = SHORT_LATENCY;
    if (class == TEXTURE)
        return (struct choice){SCOREBOARDS - 1, IS_SHARED};

    unsigned end = end_of_shared(situation);
    for (unsigned i = 0; i < end; i++)
        if (next_wait[i] == candidate->conflict)
            return (struct choice){i, JOINS};
    unsigned first = class == LONG_LATENCY ? FIRST_OF_SLOW : situation->first;
    unsigned free = ~situation->pending->busy & ((1u << end) - 1) & ~((1u << first) - 1);
    if (free)
        return (struct choice){(unsigned)__builtin_ctz(free), IS_ALONE};
    return (struct choice){choose_shared(situation, candidate, first, end), IS_SHARED};
}
