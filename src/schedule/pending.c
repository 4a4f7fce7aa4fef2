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
pending_add(struct pending *pending, uint32_t producer)
{
    spend(pending->code, 1);
    if (pending->holds[producer])
        return;
    pending->holds[producer] = 1;
    array_push(&pending->list, pending->code->arena, producer);
}

void
pending_add_all(struct pending *pending, const struct producer_list *list)
{
    for (uint32_t i = 0; i < list->count && !is_spent(pending->code); i++)
        pending_add(pending, list->at[i]);
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
        if (mask >> pending->numbers[producer] & 1)
            pending->holds[producer] = 0;
        else
            pending->list.at[left++] = producer;
    }
    pending->list.count = left;
}

void
pending_issue(struct pending *pending, uint32_t instruction)
{
    for (uint32_t p = pending->code->first_producer[instruction];
         p < producers_end(pending->code, instruction); p++)
        pending_add(pending, p);
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
