#include "mercury/frame_events.h"

#include "mercury/frame_record.h"

#include <stdlib.h>

enum { SASS_UNIT = 4, SASS_INSTRUCTION_SIZE = 16, NO_OPERATION = 0 };

/* What holds from a place on was brought about by the instruction before it: nothing is known of the
   first place of a function inside another, nor of one behind a setting. */
static void
add_event(struct frame_events *events, struct arena *arena, uint32_t mercury, struct bytes saying)
{
    const struct code_place *next = code_at(events->map, events->mercury_base + mercury);
    struct frame_event event = {.order = events->list.count, .saying = saying};

    if (!next || (events->mercury_base && !mercury))
        return;
    event.last = next->sass - events->sass_base;
    if (next->mercury > events->mercury_base) {
        const struct code_place *before = next - 1;
        if (code_is_setting(events->map, before))
            return;
        event.first = before->sass + SASS_INSTRUCTION_SIZE - events->sass_base;
        event.place =
            place_of_step(before, before->patched) + SASS_INSTRUCTION_SIZE - events->sass_base;
    }
    array_push(&events->list, arena, event);
}

void
frame_events_add(struct frame_events *events, struct arena *arena, struct bytes frame)
{
    struct bytes saying = {0};
    uint32_t place = 0;
    bool goes_on = false; /* an advance was the last */
    size_t size = 0;

    for (size_t at = CODE_AT; at <= frame.size; at += size) {
        bool is_end = at == frame.size || !(size = frame_opcode_size(frame, at));
        bool advances = !is_end && frame.at[at] == FRAME_ADVANCE;

        if ((is_end || advances) && saying.size)
            add_event(events, arena, place, saying);
        if (is_end)
            break;
        if (advances) {
            place += read_u32(frame.at + at + 1);
            saying = (struct bytes){0};
            goes_on = true;
        } else if (frame.at[at] != NO_OPERATION) {
            if (!saying.size)
                saying.at = frame.at + at;
            saying.size = (size_t)(frame.at + at + size - saying.at);
            goes_on = false;
        }
    }
    if (goes_on)
        add_event(events, arena, place, (struct bytes){0});
}

static int
compare_events(const void *a, const void *b)
{
    const struct frame_event *x = a, *y = b;

    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* What was said last of a place holds. */
static bool
is_replaced(const struct frame_events *events, uint32_t i)
{
    const struct frame_event *event = &events->list.at[i];
    return i + 1 < events->list.count && event[1].place == event->place;
}

static void
sort_events(struct frame_events *events)
{
    if (events->list.count)
        qsort(events->list.at, events->list.count, sizeof *events->list.at, compare_events);
}

bool
frame_events_fit(struct frame_events *events, struct bytes sass)
{
    uint64_t place = 0;
    size_t at = CODE_AT;

    sort_events(events);
    for (uint32_t i = 0; i < events->list.count; i++) {
        const struct frame_event *event = &events->list.at[i];

        if (is_replaced(events, i))
            continue;
        if (event->place) {
            if (sass.size - at < FRAME_ADVANCE_SIZE || sass.at[at] != FRAME_ADVANCE)
                return false;
            place += (uint64_t)read_u32(sass.at + at + 1) * SASS_UNIT;
            at += FRAME_ADVANCE_SIZE;
        }
        if (place < event->first || place > event->last || sass.size - at < event->saying.size ||
            (event->saying.size && memcmp(sass.at + at, event->saying.at, event->saying.size) != 0))
            return false;
        at += event->saying.size;
    }
    while (at < sass.size && sass.at[at] == NO_OPERATION)
        at++;
    return at == sass.size;
}

struct bytes
frame_events_write(struct frame_events *events, struct arena *arena,
                   const struct function *function, struct bytes winner)
{
    size_t room = CODE_AT + sizeof(uint64_t), size = CODE_AT;
    uint32_t written = 0;

    for (uint32_t i = 0; i < events->list.count; i++)
        room += FRAME_ADVANCE_SIZE + events->list.at[i].saying.size;
    uint8_t *frame = arena_zero(arena, room);
    memcpy(frame, winner.at, CODE_AT);
    frame_move_length(function, frame);
    sort_events(events);
    for (uint32_t i = 0; i < events->list.count; i++) {
        const struct frame_event *event = &events->list.at[i];

        if (is_replaced(events, i))
            continue;
        if (event->place) {
            frame[size] = FRAME_ADVANCE;
            write_u32(frame + size + 1, (event->place - written) / SASS_UNIT);
            size += FRAME_ADVANCE_SIZE;
        }
        written = event->place;
        if (event->saying.size)
            memcpy(frame + size, event->saying.at, event->saying.size);
        size += event->saying.size;
    }
    size = align_up(size, sizeof(uint64_t));
    write_u64(frame + LENGTH_AT, size - CIE_POINTER_AT);
    return (struct bytes){frame, size};
}
