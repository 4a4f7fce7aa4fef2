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
    array_push(&map->links, arena, ((struct name_link){0}));
}

void
name_map_expect_names(struct name_map *map, uint32_t count)
{
    array_expect(&map->names, map->arena, count);
    array_expect(&map->links, map->arena, count);
}

uint32_t
name_map_find_hashed(const struct name_map *map, const char *text, size_t length, uint32_t hash)
{
    struct name_link link = map->buckets[name_map_bucket(map, hash)];

    for (; link.id; link = map->links.at[link.id]) {
        const struct name *name = name_at(map, link.id);
        if (link.hash == hash && name->length == length && !memcmp(name->text, text, length))
            break;
    }
    return link.id;
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
link_into_bucket(struct name_map *map, struct name_link link)
{
    struct name_link *bucket = &map->buckets[name_map_bucket(map, link.hash)];

    map->links.at[link.id] = *bucket;
    *bucket = link;
}

/* The list of an old bucket goes into two new ones, in the same order. */
static void
split_bucket(struct name_map *map, struct name_link link)
{
    struct name_link *ends[2] = {NULL, NULL};
    uint32_t half = (map->mask + 1) / 2;

    while (link.id) {
        struct name_link next = map->links.at[link.id];
        uint32_t bucket = name_map_bucket(map, link.hash);
        struct name_link **end = &ends[bucket >= half];

        if (!*end)
            *end = &map->buckets[bucket];
        **end = link;
        *end = &map->links.at[link.id];
        **end = (struct name_link){0};
        link = next;
    }
}

/* Twice the buckets when there are half as many names: lists stay short. */
static void
grow(struct name_map *map)
{
    uint32_t before = map->mask + 1;
    struct name_link *old = map->buckets;

    map->mask = map->mask * 2 + 1;
    map->buckets = arena_array(map->arena, (size_t)map->mask + 1, sizeof *map->buckets);
    for (uint32_t bucket = 0; bucket < before; bucket++)
        split_bucket(map, old[bucket]);
    arena_give_back(map->arena, old, before * sizeof *old);
}

uint32_t
name_map_add_hashed(struct name_map *map, const char *text, size_t length, uint32_t hash)
{
    uint32_t id = name_map_find_hashed(map, text, length, hash);

    if (id)
        return id;
    id = map->names.count;
    array_push(&map->names, map->arena, ((struct name){.text = text, .length = (uint32_t)length}));
    array_push(&map->links, map->arena, ((struct name_link){0}));
    if (id > map->mask / 2 && map->mask < UINT32_MAX / 2)
        grow(map);
    link_into_bucket(map, (struct name_link){id, hash});
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
