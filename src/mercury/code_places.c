#include "mercury/code_places.h"

#include "mercury/capsule.h"
#include "mercury/instruction_width.h"
#include "schedule/instruction.h"

enum { RECORD_UNIT = 16, COUNT_SIZE = 2 };

/* A fence and what waits for it: all of an entry for a fence, and what guards an exit. */
static bool
is_fence(uint64_t low)
{
    unsigned opcode = opcode_of(&(struct instruction){.low = low});
    return opcode == OP_MEMBAR || opcode == OP_ERRBAR || opcode == OP_CGAERRBAR ||
           opcode == OP_CCTL;
}

/* Instructions that only wait for what a fence or an exit has to wait for stand behind a fence. */
static bool
is_wait(uint64_t low)
{
    unsigned opcode = opcode_of(&(struct instruction){.low = low});
    return opcode == OP_ERRBAR || opcode == OP_CGAERRBAR || opcode == OP_CCTL;
}

/* Threads that do something together go on alone behind it, and may take its result from where it was
   left. */
static bool
is_end_of_collective(uint64_t low)
{
    enum { END_OF_COLLECTIVE = 0x91b, MOVE_OF_UNIFORM = 0xc02, SHIFT = 0x819 };
    unsigned opcode = opcode_of(&(struct instruction){.low = low});
    return opcode == END_OF_COLLECTIVE || opcode == MOVE_OF_UNIFORM || opcode == SHIFT;
}

static bool
is_collective(uint64_t low)
{
    unsigned opcode = opcode_of(&(struct instruction){.low = low});
    return opcode == OP_WARPSYNC || opcode == OP_WARPSYNC_ALL;
}

static uint64_t
instruction_at(struct bytes text, uint32_t number)
{
    return read_u64(text.at + (size_t)number * SASS_INSTRUCTION);
}

/* Bytes of mercury that the entry is; false: that is not known. */
static bool
entry_width(struct bytes capsule, struct bytes text, const struct capsule_entry *entry,
            uint32_t *width)
{
    size_t at = (size_t)entry->first * SASS_INSTRUCTION;

    if (entry->record && entry->size == COUNT_SIZE) {
        *width = 0;
        return true;
    }
    if (entry->record)
        *width = (capsule.at[entry->record] & 0xfu) * RECORD_UNIT;
    else
        *width = implied_width(read_u64(text.at + at), read_u64(text.at + at + 8));
    return *width != 0;
}

/* The first instruction of the entry that is no fence; of a fence, which may have padding before it, its
   last one that is no wait. */
static uint32_t
behind_fences(struct bytes text, const struct capsule_entry *entry)
{
    uint32_t at = entry->first, end = entry->first + entry->count;

    if (is_fence(instruction_at(text, end - 1))) {
        while (end > at + 1 && is_wait(instruction_at(text, end - 1)))
            end--;
        return (end - 1) * SASS_INSTRUCTION;
    }
    while (is_fence(instruction_at(text, at)))
        at++;
    return at * SASS_INSTRUCTION;
}

/* The instruction that has the operands of the entry. */
static uint32_t
patched_place(struct bytes text, const struct capsule_entry *entry)
{
    uint32_t count = entry->count;
    bool is_together = count > 1 && is_collective(instruction_at(text, entry->first));
    bool (*is_behind)(uint64_t) = is_together ? is_end_of_collective : is_wait;

    while (count > 1 && is_behind(instruction_at(text, entry->first + count - 1)))
        count--;
    return (entry->first + count - 1) * SASS_INSTRUCTION;
}

/* Where an entry is for registers: what does what it says, the first behind fences, or what threads do
   together. `begin` is behind fences alone. */
static uint32_t
entry_itself(struct bytes text, const struct capsule_entry *entry, uint32_t *begin)
{
    bool is_together = is_collective(instruction_at(text, entry->first));

    *begin = is_together ? entry->first * SASS_INSTRUCTION : behind_fences(text, entry);
    return is_together ? patched_place(text, entry) : *begin;
}

bool
read_code_map(struct code_map *map, struct arena *arena, struct bytes capsule, struct bytes text,
              uint64_t size)
{
    struct capsule_reader reader = capsule_open(capsule);
    struct capsule_entry entry;
    uint32_t mercury = 0, width, end = 0;

    while (capsule_next(&reader, &entry)) {
        size_t first = (size_t)entry.first * SASS_INSTRUCTION;

        if (!bytes_hold(text, first, (uint64_t)entry.count * SASS_INSTRUCTION) ||
            !entry_width(capsule, text, &entry, &width))
            return false;
        if (width) {
            struct code_place place = {.mercury = mercury, .sass = (uint32_t)first};
            place.itself = entry_itself(text, &entry, &place.begin);
            place.behind = place.itself + SASS_INSTRUCTION;
            place.patched = patched_place(text, &entry);
            array_push(&map->places, arena, place);
            end = (entry.first + entry.count) * SASS_INSTRUCTION;
        }
        mercury += width;
    }
    array_push(&map->places, arena, ((struct code_place){mercury, end, end, end, end, end, false}));
    return mercury == size;
}

const struct code_place *
code_from(const struct code_map *map, uint32_t mercury)
{
    uint32_t low = 0, high = map->places.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->places.at[middle].mercury < mercury)
            low = middle + 1;
        else
            high = middle;
    }
    return low < map->places.count ? &map->places.at[low] : NULL;
}

const struct code_place *
code_at(const struct code_map *map, uint32_t mercury)
{
    const struct code_place *place = code_from(map, mercury);
    return place && place->mercury == mercury ? place : NULL;
}

const struct code_place *
code_of_sass(const struct code_map *map, uint64_t sass)
{
    uint32_t low = 0, high = map->places.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->places.at[middle].sass <= sass)
            low = middle + 1;
        else
            high = middle;
    }
    const struct code_place *last = low ? &map->places.at[low - 1] : NULL;
    return last && (last->sass == sass || last->itself == sass) ? last : NULL;
}

/* Where an instruction begins for one before it. */
static uint32_t
next_begin(const struct code_place *place)
{
    return place->begins_block ? place->sass : place->begin;
}

uint32_t
place_before_next(const struct code_map *map, const struct code_place *place)
{
    bool is_end = place == &map->places.at[map->places.count - 1];
    return is_end ? place->itself : next_begin(&place[1]) - SASS_INSTRUCTION;
}

const struct code_place *
code_before_next(const struct code_map *map, uint64_t sass)
{
    uint32_t low = 1, high = map->places.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (next_begin(&map->places.at[middle]) <= sass)
            low = middle + 1;
        else
            high = middle;
    }
    const struct code_place *place = &map->places.at[low - 1];
    return place_before_next(map, place) == sass ? place : NULL;
}
