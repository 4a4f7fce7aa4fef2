#include "base/name_map.h"

#include "base/diag.h"
#include "base/murmur3.h"

#include <string.h>

/* So many times the slots, when three quarters are taken: searches stay short. */
enum { GROWTH = 4, FEWEST_SLOTS = 4 };

uint32_t
name_hash(const char *text, size_t length)
{
    return murmur3_x86_32(text, length, 0);
}

struct name_key
name_key_of(const char *text)
{
    size_t length = strlen(text);
    return (struct name_key){(uint32_t)length, name_hash(text, length)};
}

void
name_map_init(struct name_map *map, struct arena *arena, uint32_t buckets)
{
    uint32_t slots = buckets < FEWEST_SLOTS ? FEWEST_SLOTS : buckets;

    *map = (struct name_map){.arena = arena, .mask = slots - 1};
    map->slots = arena_array(arena, slots, sizeof *map->slots);
    array_push(&map->names, arena, ((struct name){.text = ""}));
}

/* The slot of the name, or the one where it has to go. */
static uint32_t *
find_slot(const struct name_map *map, const char *text, size_t length, uint32_t hash)
{
    uint32_t at = name_map_bucket(map, hash);

    for (; map->slots[at]; at = (at + 1) & map->mask) {
        if ((map->slots[at] ^ hash) & ~map->mask)
            continue;
        const struct name *name = name_at(map, map->slots[at] & map->mask);
        if (name->hash == hash && name->length == length && !memcmp(name->text, text, length))
            break;
    }
    return &map->slots[at];
}

uint32_t
name_map_find_hashed(const struct name_map *map, const char *text, size_t length, uint32_t hash)
{
    return *find_slot(map, text, length, hash) & map->mask;
}

uint32_t
name_map_find(const struct name_map *map, const char *text)
{
    struct name_key key = name_key_of(text);
    return name_map_find_hashed(map, text, key.length, key.hash);
}

static uint32_t
slot_value(const struct name_map *map, uint32_t id, uint32_t hash)
{
    return (hash & ~map->mask) | id;
}

static void
grow(struct name_map *map)
{
    size_t before = (size_t)map->mask + 1;

    if (before > UINT32_MAX / GROWTH)
        diag_fatal(map->arena->diag, "Out of memory");
    arena_give_back(map->arena, map->slots, before * sizeof *map->slots);
    map->mask = (uint32_t)(before * GROWTH - 1);
    map->slots = arena_array(map->arena, before * GROWTH, sizeof *map->slots);
    for (uint32_t id = 1; id < map->names.count; id++) {
        uint32_t hash = name_at(map, id)->hash, at = name_map_bucket(map, hash);
        while (map->slots[at])
            at = (at + 1) & map->mask;
        map->slots[at] = slot_value(map, id, hash);
    }
}

uint32_t
name_map_add_hashed(struct name_map *map, const char *text, size_t length, uint32_t hash)
{
    uint32_t *slot = find_slot(map, text, length, hash);

    if (*slot)
        return *slot & map->mask;
    uint32_t id = map->names.count;
    *slot = slot_value(map, id, hash);
    array_push(&map->names, map->arena,
               ((struct name){.text = text, .length = (uint32_t)length, .hash = hash}));
    if (id > (map->mask + 1) / 4 * 3)
        grow(map);
    return id;
}

uint32_t
name_map_add(struct name_map *map, const char *text)
{
    struct name_key key = name_key_of(text);
    return name_map_add_hashed(map, text, key.length, key.hash);
}
