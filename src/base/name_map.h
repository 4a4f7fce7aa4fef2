/*
 * name_map.h: the distinct names of a link, each stored once, found by MurmurHash3 (seed 0).
 *
 * A name is identified by its id (1, 2, ... in order of first appearance; 0 is no name), which
 * stays valid while the map grows. What a name stands for (`index`, `section`) and where its string
 * was placed (`offset`) are the owner's to fill in. Names are borrowed: they must outlive the map.
 */
#ifndef CULD_BASE_NAME_MAP_H
#define CULD_BASE_NAME_MAP_H

#include "base/array.h"

#include <stdbool.h>

struct name {
    const char *text;
    uint32_t length;
    uint32_t hash;
    int32_t index;     /* symbol of that name, 0: none */
    int32_t local;     /* a local symbol of that name, 0: none */
    uint32_t section;  /* that belongs to no function, 0: none */
    uint32_t offset;   /* of the text in the string table that is being made, 0: not placed */
    uint32_t input;    /* the input that mentioned the name first */
    bool is_weak;      /* that mention was a weak reference: it may stay undefined */
    uint8_t role;      /* of an object that nothing defines: enum object_role */
    bool is_shortened; /* of a section, in mercury links: SASS has a shorter one in its place */
};

/*
 * A name stands in the first free slot from its bucket on. A slot has the id, 0 if it is free, in
 * the bits that choose a bucket, and above them the bits of the hash that do not, so that a search
 * looks at hardly any name but the one that it finds.
 */
struct name_map {
    struct arena *arena;
    ARRAY(struct name) names; /* [0] is unused */
    uint32_t *slots;
    uint32_t mask;
};

/* What is computed of a name once. */
struct name_key {
    uint32_t length;
    uint32_t hash;
};

/* `buckets` must be a power of two. */
void name_map_init(struct name_map *map, struct arena *arena, uint32_t buckets);

uint32_t name_hash(const char *text, size_t length);
struct name_key name_key_of(const char *text);

/* 0 if the name is not there. */
uint32_t name_map_find(const struct name_map *map, const char *text);
uint32_t name_map_find_hashed(const struct name_map *map, const char *text, size_t length,
                              uint32_t hash);

/* The id of the name, entered now if it is new. */
uint32_t name_map_add(struct name_map *map, const char *text);
uint32_t name_map_add_hashed(struct name_map *map, const char *text, size_t length, uint32_t hash);

static inline struct name *
name_at(const struct name_map *map, uint32_t id)
{
    return &map->names.at[id];
}

static inline uint32_t
name_map_bucket(const struct name_map *map, uint32_t hash)
{
    return hash & map->mask;
}

/* A name will be looked up soon: the way to memory begins now. */
static inline void
name_map_expect(const struct name_map *map, uint32_t hash)
{
    __builtin_prefetch(&map->slots[name_map_bucket(map, hash)]);
}

#endif
