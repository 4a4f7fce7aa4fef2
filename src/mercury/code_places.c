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

struct map_reader {
    struct capsule_reader capsule;
    struct bytes text;
    struct code_map *map;
    uint32_t mercury, end; /* behind what was read */
};

/* Of an instruction that becomes just one. */
static struct code_place
plain_place(uint32_t mercury, uint32_t sass)
{
    return (struct code_place){
        mercury, sass, sass, sass, sass + SASS_INSTRUCTION, sass, false,
    };
}

/* Most entries are implied, and follow each other. */
static bool
read_implied(struct map_reader *reader, uint32_t count)
{
    size_t first = (size_t)(reader->capsule.instruction - count) * SASS_INSTRUCTION;
    size_t end = first + (size_t)count * SASS_INSTRUCTION;
    struct code_place *to = reader->map->places.at + reader->map->places.count;

    if (!bytes_hold(reader->text, first, end - first))
        return false;
    for (size_t at = first; at < end; at += SASS_INSTRUCTION) {
        const uint8_t *instruction = reader->text.at + at;
        unsigned width = implied_width(read_u64(instruction), read_u64(instruction + 8));
        if (!width)
            return false;
        *to++ = plain_place(reader->mercury, (uint32_t)at);
        reader->mercury += width;
    }
    reader->map->places.count += count;
    reader->end = (uint32_t)end;
    return true;
}

static bool
read_entry(struct map_reader *reader, const struct capsule_entry *entry)
{
    struct code_map *map = reader->map;
    uint32_t first = entry->first * SASS_INSTRUCTION, width;

    if (!bytes_hold(reader->text, first, (uint64_t)entry->count * SASS_INSTRUCTION) ||
        !entry_width(reader->capsule.capsule, reader->text, entry, &width))
        return false;
    if (!width)
        return true;
    struct code_place *place = &map->places.at[map->places.count++];
    *place = plain_place(reader->mercury, first);
    if (entry->count > 1) {
        place->itself = entry_itself(reader->text, entry, &place->begin);
        place->behind = place->itself + SASS_INSTRUCTION;
        place->patched = patched_place(reader->text, entry);
    }
    reader->end = first + entry->count * SASS_INSTRUCTION;
    reader->mercury += width;
    return true;
}

bool
read_code_map(struct code_map *map, struct arena *arena, struct bytes capsule, struct bytes text,
              uint64_t size)
{
    struct map_reader reader = {.capsule = capsule_open(capsule), .text = text, .map = map};
    size_t capacity = (size_t)capsule_entry_count(capsule) + 1;
    struct capsule_entry entry;

    map->places.at = arena_alloc(arena, capacity * sizeof *map->places.at);
    for (;;) {
        uint32_t implied = capsule_pass_implied(&reader.capsule, UINT32_MAX);

        if (implied && !read_implied(&reader, implied))
            return false;
        if (!capsule_next(&reader.capsule, &entry))
            break;
        if (!read_entry(&reader, &entry))
            return false;
    }
    map->places.at[map->places.count++] = plain_place(reader.mercury, reader.end);
    map->places.at[map->places.count - 1].behind = reader.end;
    return reader.mercury == size;
}

const struct code_place *
code_from(const struct code_map *map, uint32_t mercury)
{
    const struct code_place *first = map->places.at, *end = first + map->places.count;

    /* The answer is among `left` places and the one behind them; there is no branch to be guessed. */
    for (size_t left = map->places.count; left; left /= 2)
        first += (left - left / 2) * (first[left / 2].mercury < mercury);
    return first < end ? first : NULL;
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
