#include "base/name_map.h"

#include "base/murmur3.h"

#include <string.h>

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
    *map = (struct name_map){.arena = arena, .mask = buckets - 1};
    map->buckets = arena_array(arena, buckets, sizeof *map->buckets);
    array_push(&map->names, arena, ((struct name){.text = ""}));
}

uint32_t
name_map_find_hashed(const struct name_map *map, const char *text, size_t length, uint32_t hash)
{
    struct name_bucket bucket = map->buckets[name_map_bucket(map, hash)];

    while (bucket.id) {
        const struct name *name = name_at(map, bucket.id);
        if (bucket.hash == hash && name->length == length && !memcmp(name->text, text, length))
            break;
        bucket.id = name->next;
        bucket.hash = name_at(map, bucket.id)->hash;
    }
    return bucket.id;
}

uint32_t
name_map_find_key(const struct name_map *map, const char *text, struct name_key key)
{
    return name_map_find_hashed(map, text, key.length, key.hash);
}

uint32_t
name_map_find(const struct name_map *map, const char *text)
{
    return name_map_find_key(map, text, name_key_of(text));
}

static void
link_into_bucket(struct name_map *map, uint32_t id)
{
    struct name *name = name_at(map, id);
    struct name_bucket *bucket = &map->buckets[name_map_bucket(map, name->hash)];

    name->next = bucket->id;
    *bucket = (struct name_bucket){id, name->hash};
}

/* Twice the buckets when there are half as many names: chains stay short. */
static void
grow(struct name_map *map)
{
    size_t before = ((size_t)map->mask + 1) * sizeof *map->buckets;

    arena_give_back(map->arena, map->buckets, before);
    map->mask = map->mask * 2 + 1;
    map->buckets = arena_array(map->arena, (size_t)map->mask + 1, sizeof *map->buckets);
    for (uint32_t id = 1; id < map->names.count; id++)
        link_into_bucket(map, id);
}

uint32_t
name_map_add_hashed(struct name_map *map, const char *text, size_t length, uint32_t hash)
{
    uint32_t id = name_map_find_hashed(map, text, length, hash);

    if (id)
        return id;
    id = map->names.count;
    array_push(&map->names, map->arena,
               ((struct name){.text = text, .length = (uint32_t)length, .hash = hash}));
    if (id > map->mask / 2 && map->mask < UINT32_MAX / 2)
        grow(map);
    else
        link_into_bucket(map, id);
    return id;
}

uint32_t
name_map_add_key(struct name_map *map, const char *text, struct name_key key)
{
    return name_map_add_hashed(map, text, key.length, key.hash);
}

uint32_t
name_map_add(struct name_map *map, const char *text)
{
    return name_map_add_key(map, text, name_key_of(text));
}
