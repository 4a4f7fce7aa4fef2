#include "schedule/pending.h"

void
pending_init(struct pending *pending, const struct code *code, const uint8_t *numbers)
{
    *pending = (struct pending){
        .code = code,
        .numbers = numbers,
        .holds = arena_array(code->arena, (size_t)code->producer_count + 1, 1),
    };
}

void
pending_clear(struct pending *pending)
{
    for (uint32_t i = 0; i < pending->list.count; i++)
        pending->holds[pending->list.at[i]] = 0;
    pending->list.count = 0;
}

void
pending_add_all(struct pending *pending, const struct producer_list *list)
{
    if (is_spent(pending->code))
        return;
    for (uint32_t i = 0; i < list->count; i++)
        pending_add(pending, list->at[i]);
    spend(pending->code, list->count);
}

void
pending_wait(struct pending *pending, unsigned mask)
{
    uint32_t left = 0;

    if (!mask)
        return;
    spend(pending->code, pending->list.count);
    for (uint32_t i = 0; i < pending->list.count; i++) {
        uint32_t producer = pending->list.at[i];
        unsigned stays = ~mask >> pending->numbers[producer] & 1;
        pending->holds[producer] = (uint8_t)stays;
        pending->list.at[left] = producer;
        left += stays;
    }
    pending->list.count = left;
}

unsigned
additional_waits(const struct pending *before, const struct pending *after, uint32_t instruction,
                 bool concerns_all)
{
    unsigned mask = 0;

    spend(after->code, after->list.count);
    for (uint32_t i = 0; i < after->list.count; i++) {
        uint32_t producer = after->list.at[i];
        if (!before->holds[producer] &&
            (concerns_all || conflicts(after->code, producer, instruction)))
            mask |= 1u << after->numbers[producer];
    }
    return mask;
}

bool
list_merge(struct producer_list *list, struct pending *pending)
{
    uint32_t before = list->count;

    /* Marks what the list has; adds the rest; unmarks. */
    for (uint32_t i = 0; i < before; i++)
        pending->holds[list->at[i]] |= 2;
    for (uint32_t i = 0; i < pending->list.count; i++)
        if (!(pending->holds[pending->list.at[i]] & 2))
            array_push(list, pending->code->arena, pending->list.at[i]);
    for (uint32_t i = 0; i < before; i++)
        pending->holds[list->at[i]] &= 1;
    spend(pending->code, before + pending->list.count);
    return list->count != before;
}
