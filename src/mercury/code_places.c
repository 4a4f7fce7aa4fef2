#include "mercury/code_places.h"

#include "schedule/instruction.h"

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

/* Where no register is free for what an entry becomes, one is put aside first. */
static bool
is_save(uint64_t low)
{
    return opcode_of(&(struct instruction){.low = low}) == OP_RPCMOV_SAVE;
}

/* What a fence of asynchronous copies ends with. */
static bool
is_end_of_fence(uint64_t low)
{
    return opcode_of(&(struct instruction){.low = low}) == OP_FENCE || is_wait(low);
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

/* The first instruction of the entry that is no fence and puts no register aside; of a fence, which may have
   padding before it, its last one that does not only end it. */
static uint32_t
behind_fences(struct bytes text, const struct capsule_entry *entry)
{
    uint32_t at = entry->first, end = entry->first + entry->count;

    if (is_fence(instruction_at(text, end - 1)) || is_end_of_fence(instruction_at(text, end - 1))) {
        while (end > at + 1 && is_end_of_fence(instruction_at(text, end - 1)))
            end--;
        return end - 1;
    }
    while (is_fence(instruction_at(text, at)))
        at++;
    return at + 1 < end && is_save(instruction_at(text, at)) ? at + 1 : at;
}

/* Where barriers in shared memory were set up, code compiled for debuggers has this behind whatever comes
   before a call. */
static bool
is_fence_of_barriers(struct bytes text, uint32_t first)
{
    return opcode_of(&(struct instruction){.low = instruction_at(text, first)}) == OP_FENCE &&
           opcode_of(&(struct instruction){.low = instruction_at(text, first + 1)}) ==
               OP_SYNCS_CONTROL;
}

/* The instruction that has the operands of the entry. */
static uint32_t
patched_instruction(struct bytes text, const struct capsule_entry *entry)
{
    enum { FENCE_OF_BARRIERS = 2 };
    uint32_t count = entry->count;
    bool is_together = count > 1 && is_collective(instruction_at(text, entry->first));
    bool (*is_behind)(uint64_t) = is_together ? is_end_of_collective : is_wait;

    if (count > FENCE_OF_BARRIERS &&
        is_fence_of_barriers(text, entry->first + count - FENCE_OF_BARRIERS))
        count -= FENCE_OF_BARRIERS;
    while (count > 1 && is_behind(instruction_at(text, entry->first + count - 1)))
        count--;
    return entry->first + count - 1;
}

/* What a number of threads or of a barrier is made of for what threads do together. */
static bool
prepares_collective(uint64_t low)
{
    enum { LOGIC = 0x812 };
    return opcode_of(&(struct instruction){.low = low}) == LOGIC;
}

/* Does nothing, to keep a fence away from what was before it. */
static bool
is_padding(uint64_t low)
{
    enum { PADDING = 0x984 };
    unsigned opcode = opcode_of(&(struct instruction){.low = low});
    return opcode == OP_NOP || opcode == PADDING;
}

/* A fence of asynchronous copies that something else stands behind: what registers hold from, or up to, is one
   or the other. */
static bool
is_behind_fence(struct bytes text, const struct capsule_entry *entry)
{
    uint64_t first = instruction_at(text, entry->first);

    return opcode_of(&(struct instruction){.low = first}) == OP_FENCE &&
           !is_end_of_fence(instruction_at(text, entry->first + entry->count - 1));
}

/* Is it certain which of the instructions does what the entry says? They are one, or some of a kind,
   beside those that fence it, wait for it, prepare it or do nothing. */
static bool
is_certain(struct bytes text, const struct capsule_entry *entry)
{
    bool is_together = is_collective(instruction_at(text, entry->first));
    bool ends_with_fence = is_fence(instruction_at(text, entry->first + entry->count - 1));
    unsigned last = 0, found = 0;

    if (is_behind_fence(text, entry))
        return false;
    for (uint32_t i = 0; i < entry->count; i++) {
        uint64_t low = instruction_at(text, entry->first + i);
        unsigned opcode = opcode_of(&(struct instruction){.low = low});

        if (is_fence(low) || is_end_of_fence(low) || is_collective(low) ||
            is_end_of_collective(low) || opcode == OP_NOP || (ends_with_fence && is_padding(low)) ||
            (is_together && prepares_collective(low)))
            continue;
        if (found && opcode != last)
            return false;
        last = opcode;
        found++;
    }
    return found <= 1 || found == entry->count;
}

/* Where an entry is for registers: what does what it says, the first behind fences, or what threads do
   together. `begin` is behind fences alone. */
void
code_place_name_steps(struct code_place *place, struct bytes text,
                      const struct capsule_entry *entry)
{
    bool is_together = is_collective(instruction_at(text, entry->first));
    uint32_t patched = patched_instruction(text, entry);
    uint32_t begin = is_together ? entry->first : behind_fences(text, entry);
    uint32_t itself = is_together ? patched : begin;

    place->begin = (int16_t)(begin - entry->first);
    place->itself = (int16_t)(itself - entry->first);
    place->patched = (int16_t)(patched - entry->first);
    place->is_uncertain = !is_certain(text, entry);
}

void
code_map_begin(struct code_map_maker *maker, uint32_t entry_count)
{
    size_t capacity = (size_t)entry_count + 1;

    maker->map =
        arena_alloc(maker->arena, sizeof *maker->map + capacity * sizeof(struct code_place));
    *maker->map = (struct code_map){.places.at = (struct code_place *)(maker->map + 1)};
}

bool
code_map_end(struct code_map_maker *maker)
{
    maker->map->places.at[maker->map->places.count++] =
        (struct code_place){.mercury = maker->mercury, .sass = maker->end};
    return !maker->is_unknown;
}

bool
read_code_map(struct code_map *map, struct arena *arena, struct bytes capsule, struct bytes text,
              uint64_t size)
{
    struct code_map_maker maker = {.arena = arena, .text = text};
    struct capsule_reader reader = capsule_open(capsule);
    struct capsule_entry entry;

    code_map_begin(&maker, capsule_entry_count(capsule));
    for (;;) {
        uint32_t first = reader.instruction;
        uint32_t implied = capsule_pass_implied(&reader, UINT32_MAX);

        if (implied)
            code_map_add_implied(&maker, first, implied);
        if (!capsule_next(&reader, &entry))
            break;
        if (entry.record)
            code_map_add(&maker, capsule, &entry);
        else
            code_map_add_implied(&maker, entry.first, entry.count);
    }
    bool is_known = code_map_end(&maker);
    *map = *maker.map;
    return is_known && code_map_length(map) == size;
}

const struct code_place *
code_from(const struct code_map *map, uint32_t mercury)
{
    const struct code_place *first = map->places.at, *end = first + map->places.count;

    /* The answer is among `left` places and the one behind them; there is no branch to be guessed. */
    for (size_t left = map->places.count; left; left /= 2) {
        const struct code_place *behind = first + (left - left / 2);
        first = first[left / 2].mercury < mercury ? behind : first;
    }
    return first < end ? first : NULL;
}

const struct code_place *
code_at(const struct code_map *map, uint32_t mercury)
{
    const struct code_place *place = code_from(map, mercury);
    return place && place->mercury == mercury ? place : NULL;
}

const struct code_place *
code_at_both(const struct code_map *map, uint32_t mercury, uint64_t sass)
{
    enum { FEW = 8 };
    uint64_t number = sass / SASS_INSTRUCTION, last = map->places.count - 1;
    const struct code_place *place = &map->places.at[number < last ? number : last];

    /* Mostly there are as many instructions before it in both, else more of SASS. */
    for (int i = 0; i < FEW && place->mercury > mercury && place > map->places.at; i++)
        place--;
    return place->mercury == mercury ? place : code_at(map, mercury);
}

/* The instruction of mercury that becomes what is there, among others; the end has all behind it. */
static const struct code_place *
code_around(const struct code_map *map, uint64_t sass)
{
    uint32_t low = 0, high = map->places.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (map->places.at[middle].sass <= sass)
            low = middle + 1;
        else
            high = middle;
    }
    return &map->places.at[low ? low - 1 : 0];
}

const struct code_place *
code_of_sass(const struct code_map *map, uint64_t sass)
{
    const struct code_place *last = code_around(map, sass);
    return last->sass == sass || place_of_step(last, last->itself) == sass ? last : NULL;
}

bool
code_is_setting(const struct code_map *map, const struct code_place *place)
{
    return place != &map->places.at[map->places.count - 1] && place->sass == place[1].sass;
}

const struct code_place *
code_before(const struct code_map *map, const struct code_place *place)
{
    do {
        if (place == map->places.at)
            return NULL;
        place--;
    } while (code_is_setting(map, place));
    return place;
}

/* Where an instruction begins for one before it. */
static uint32_t
next_begin(const struct code_place *place)
{
    return place->begins_block ? place->sass : place_of_step(place, place->begin);
}

uint32_t
place_before_next(const struct code_map *map, const struct code_place *place)
{
    if (place == &map->places.at[map->places.count - 1])
        return place->sass;
    do
        place++;
    while (code_is_setting(map, place));
    return next_begin(place) - SASS_INSTRUCTION;
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
