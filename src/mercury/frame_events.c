#include "mercury/frame_events.h"

#include "mercury/frame_record.h"

#include <stdlib.h>

enum { SASS_UNIT = 4, NO_OPERATION = 0 };

static void
add_event(struct frame_events *events, struct arena *arena, uint32_t place, struct bytes saying)
{
    array_push(&events->list, arena, ((struct frame_event){place, events->list.count, saying}));
}

/* What holds from a place on was brought about by the instruction before it. */
static bool
place_behind(const struct code_map *map, uint32_t mercury, uint32_t *sass)
{
    const struct code_place *next = code_at(map, mercury);

    if (!next)
        return false;
    *sass = next == map->places.at ? 0 : next[-1].behind;
    return true;
}

/* How far a frame goes is said of the instruction there. */
static void
add_end(struct frame_events *events, struct arena *arena, uint32_t mercury)
{
    const struct code_place *last = code_at(events->map, mercury);

    if (last)
        add_event(events, arena, last->sass, (struct bytes){0});
}

void
frame_events_add(struct frame_events *events, struct arena *arena, struct bytes frame)
{
    struct bytes saying = {0};
    uint32_t place = 0, sass;
    bool goes_on = false; /* an advance was the last */
    size_t size = 0;

    for (size_t at = CODE_AT; at <= frame.size; at += size) {
        bool is_end = at == frame.size || !(size = frame_opcode_size(frame, at));
        bool advances = !is_end && frame.at[at] == FRAME_ADVANCE;

        if ((is_end || advances) && saying.size && place_behind(events->map, place, &sass))
            add_event(events, arena, sass, saying);
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
        add_end(events, arena, place);
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
    if (events->list.count)
        qsort(events->list.at, events->list.count, sizeof *events->list.at, compare_events);
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
