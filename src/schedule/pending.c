#include "schedule/pending.h"

/* Few lists have to grow. */
enum { USUAL_CAPACITY = 16 };

static void
open_lists(struct pending *pending, uint32_t *memory)
{
    for (unsigned i = 0; i < SCOREBOARDS; i++)
        pending->on[i] =
            (struct producer_list){memory + (size_t)i * USUAL_CAPACITY, 0, USUAL_CAPACITY};
}

void
pair_init(struct pending_pair *pair, const struct code *code, const uint8_t *after)
{
    enum { OF_ONE = SCOREBOARDS * USUAL_CAPACITY };
    uint32_t *memory = arena_alloc(code->arena, 2 * OF_ONE * sizeof *memory);

    *pair = (struct pending_pair){
        .code = code,
        .before = {.numbers = code->numbers},
        .after = {.numbers = after},
        .holds = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
    };
    open_lists(&pair->before, memory);
    open_lists(&pair->after, memory + OF_ONE);
}

static inline void
push(struct pending_pair *pair, struct pending *pending, uint32_t producer)
{
    unsigned number = pending->numbers[producer];

    pending->busy |= 1u << number;
    array_push(&pending->on[number], pair->code->arena, producer);
}

void
pair_add_before(struct pending_pair *pair, uint32_t producer)
{
    unsigned held = pair->holds[producer];

    if (held & PENDING_BEFORE)
        return;
    unsigned number = pair->after.numbers[producer];
    pair->ahead -= held == PENDING_AFTER;
    pair->behind += held == 0 && number != NO_SCOREBOARD;
    pair->stands_for[pair->before.numbers[producer]] |= (uint8_t)(1u << number);
    pair->holds[producer] = (uint8_t)(held | PENDING_BEFORE);
    push(pair, &pair->before, producer);
}

void
pair_add_after(struct pending_pair *pair, uint32_t producer)
{
    unsigned held = pair->holds[producer];

    if (held & PENDING_AFTER)
        return;
    pair->ahead += held == 0;
    pair->behind -= held == PENDING_BEFORE;
    pair->holds[producer] = (uint8_t)(held | PENDING_AFTER);
    push(pair, &pair->after, producer);
}

void
pair_wait_before(struct pending_pair *pair, unsigned mask)
{
    unsigned left = mask & pair->before.busy;

    pair->before.busy &= ~mask;
    for (; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        struct producer_list *list = &pair->before.on[number];
        spend(pair->code, list->count);
        for (uint32_t i = 0; i < list->count; i++) {
            bool is_ahead = pair->holds[list->at[i]] &= PENDING_AFTER;
            pair->ahead += is_ahead;
            pair->behind -= !is_ahead && pair->after.numbers[list->at[i]] != NO_SCOREBOARD;
        }
        list->count = 0;
        pair->stands_for[number] = 0;
    }
}

void
pair_wait_after(struct pending_pair *pair, unsigned mask)
{
    unsigned left = mask & pair->after.busy;

    pair->after.busy &= ~mask;
    for (; left; left &= left - 1) {
        struct producer_list *list = &pair->after.on[__builtin_ctz(left)];
        spend(pair->code, list->count);
        for (uint32_t i = 0; i < list->count; i++) {
            bool is_behind = pair->holds[list->at[i]] &= PENDING_BEFORE;
            pair->behind += is_behind;
            pair->ahead -= !is_behind;
        }
        list->count = 0;
    }
}

static void
clear(struct pending_pair *pair, struct pending *pending)
{
    for (unsigned left = pending->busy; left; left &= left - 1) {
        struct producer_list *list = &pending->on[__builtin_ctz(left)];
        for (uint32_t i = 0; i < list->count; i++)
            pair->holds[list->at[i]] = 0;
        list->count = 0;
    }
    pending->busy = 0;
}

/* One that is pending where a walk begins, under these numberings. */
static void
begin_with(struct pending_pair *pair, uint32_t producer, unsigned held)
{
    unsigned number = pair->after.numbers[producer];

    pair->holds[producer] = (uint8_t)held;
    if (held & PENDING_BEFORE) {
        pair->stands_for[pair->before.numbers[producer]] |= (uint8_t)(1u << number);
        push(pair, &pair->before, producer);
    }
    if (held & PENDING_AFTER)
        push(pair, &pair->after, producer);
    pair->ahead += held == PENDING_AFTER;
    pair->behind += held == PENDING_BEFORE && number != NO_SCOREBOARD;
}

void
pair_begin(struct pending_pair *pair, const uint64_t *before, const uint64_t *after, uint32_t words)
{
    clear(pair, &pair->before);
    clear(pair, &pair->after);
    pair->ahead = pair->behind = 0;
    memset(pair->stands_for, 0, sizeof pair->stands_for);
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = before[w] | after[w]; left; left &= left - 1) {
            uint64_t bit = left & -left;
            unsigned held =
                (before[w] & bit ? PENDING_BEFORE : 0) | (after[w] & bit ? PENDING_AFTER : 0);
            begin_with(pair, member_of_word(w, left), held);
        }
    spend(pair->code, words);
}

void
pending_note(const struct pending *pending, uint64_t *set)
{
    for (unsigned left = pending->busy; left; left &= left - 1) {
        const struct producer_list *list = &pending->on[__builtin_ctz(left)];
        for (uint32_t i = 0; i < list->count; i++)
            set_add(set, list->at[i]);
    }
}

unsigned
additional_waits(const struct pending_pair *pair, uint32_t instruction, bool concerns_all)
{
    unsigned mask = 0;

    for (unsigned left = pair->after.busy; left; left &= left - 1) {
        unsigned number = (unsigned)__builtin_ctz(left);
        const struct producer_list *list = &pair->after.on[number];
        spend(pair->code, list->count);
        for (uint32_t i = 0; i < list->count && !(mask >> number & 1); i++)
            if (!(pair->holds[list->at[i]] & PENDING_BEFORE) &&
                (concerns_all || conflicts(pair->code, list->at[i], instruction)))
                mask |= 1u << number;
    }
    return mask;
}
