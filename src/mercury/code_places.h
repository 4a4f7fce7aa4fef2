/*
 * code_places.h: where the instructions of a function are, in mercury and in SASS.
 */
#ifndef CULD_MERCURY_CODE_PLACES_H
#define CULD_MERCURY_CODE_PLACES_H

#include "base/arena.h"
#include "base/bytes.h"
#include "mercury/capsule.h"
#include "mercury/instruction_width.h"

/* An instruction of mercury; of the instructions that it becomes three have names, by how many they
   stand behind the first. */
struct code_place {
    uint32_t mercury;
    uint32_t sass;   /* of the first instruction that it becomes */
    int16_t begin;   /* the first of these behind a fence */
    int16_t itself;  /* the same, also behind where threads come together */
    int16_t patched; /* the one that relocations fill in */
    bool
        begins_block; /* other instructions than the one before lead to it, as far as code_map.c knows */
    bool is_uncertain; /* which of the instructions have those names */
};

/* By their places; the last one is the end. */
struct code_map {
    struct {
        struct code_place *at;
        uint32_t count;
    } places;
    struct known_function *known; /* NULL: it is none of known_code.h */
    uint32_t *index;              /* see code_index.h; NULL: it was not asked for */
    bool knows_blocks;
    bool has_uncertain; /* places */
    bool
        has_settings; /* the code, which was scheduled by them: not all is known of what goes where */
};

/* Where that instruction is. */
static inline uint32_t
place_of_step(const struct code_place *place, int16_t step)
{
    return place->sass + (uint32_t)(step * SASS_INSTRUCTION);
}

/* A map that is made entry by entry, while a capsule is read. */
struct code_map_maker {
    struct arena *arena;
    struct bytes text;
    struct code_map *map;
    uint32_t mercury, end; /* behind what was read */
    bool is_unknown;       /* a length is not known: there is no map */
    bool has_settings;     /* the capsule */
};

void code_map_begin(struct code_map_maker *maker, uint32_t entry_count);

/* Room for so many entries that are implied, for the instructions from `first` on. */
static inline struct code_place *
code_map_take(struct code_map_maker *maker, uint32_t first, uint32_t count)
{
    struct code_place *to = maker->map->places.at + maker->map->places.count;

    maker->map->places.count += count;
    maker->end = (first + count) * SASS_INSTRUCTION;
    return to;
}

/* So many entries that are implied, for the instructions from `first` on, which are inside of the
   text. */
static inline void
code_map_add_implied(struct code_map_maker *maker, uint32_t first, uint32_t count)
{
    const uint8_t *text = maker->text.at + (size_t)first * SASS_INSTRUCTION;
    struct code_place *to = code_map_take(maker, first, count);

    for (uint32_t i = 0; i < count; i++, text += SASS_INSTRUCTION) {
        unsigned width = implied_width(read_u64(text), read_u64(text + sizeof(uint64_t)));

        maker->is_unknown |= !width;
        to[i] =
            (struct code_place){.mercury = maker->mercury, .sass = (first + i) * SASS_INSTRUCTION};
        maker->mercury += width;
    }
}

/* Finds the instructions that have names. */
void code_place_name_steps(struct code_place *place, struct bytes text,
                           const struct capsule_entry *entry);

/* An entry that is not implied. */
static inline void
code_map_add(struct code_map_maker *maker, struct bytes capsule, const struct capsule_entry *entry)
{
    enum { RECORD_SIZE = 16, COUNT_SIZE = 2 };

    if (entry->size == COUNT_SIZE) /* instructions without mercury */
        return;
    struct code_place *place = &maker->map->places.at[maker->map->places.count++];
    *place =
        (struct code_place){.mercury = maker->mercury, .sass = entry->first * SASS_INSTRUCTION};
    if (entry->count > 1)
        code_place_name_steps(place, maker->text, entry);
    maker->map->has_uncertain |= place->is_uncertain;
    maker->end = (entry->first + entry->count) * SASS_INSTRUCTION;
    maker->mercury += (capsule.at[entry->record] & 0xfu) * RECORD_SIZE;
}

/* The end; false where a length is not known. */
bool code_map_end(struct code_map_maker *maker);

/* Bytes of mercury. */
static inline uint32_t
code_map_length(const struct code_map *map)
{
    return map->places.at[map->places.count - 1].mercury;
}

/* Of a capsule that passed capsule_check with that text, for a function of `size` bytes of mercury.
   False where a length is not known, or all of them are not that of the function. */
bool read_code_map(struct code_map *map, struct arena *arena, struct bytes capsule,
                   struct bytes text, uint64_t size);

/* The first instruction at that place or behind it; NULL: there is none. */
const struct code_place *code_from(const struct code_map *map, uint32_t mercury);

/* The instruction at that place; NULL: none begins there. */
const struct code_place *code_at(const struct code_map *map, uint32_t mercury);

/* The same, where it probably becomes the one at that place of SASS. */
const struct code_place *code_at_both(const struct code_map *map, uint32_t mercury, uint64_t sass);

/* The instruction of mercury that becomes what is at that place of SASS: that begins there, or is there
   itself. NULL: none is. */
const struct code_place *code_of_sass(const struct code_map *map, uint64_t sass);

/* Settings become no instruction of SASS. */
bool code_is_setting(const struct code_map *map, const struct code_place *place);

/* The instruction before a place; NULL: nothing but settings is. */
const struct code_place *code_before(const struct code_map *map, const struct code_place *place);

/* Of the last instruction before what the next one of mercury becomes; of the end itself. */
uint32_t place_before_next(const struct code_map *map, const struct code_place *place);

/* The instruction of mercury whose place_before_next that is; NULL: there is none. */
const struct code_place *code_before_next(const struct code_map *map, uint64_t sass);

#endif
