/*
 * name_map.h: the distinct names of a link, each stored once, found by MurmurHash3 (seed 0).
 *
 * A name is identified by its id (1, 2, ... in order of first appearance; 0 is no name), which
 * stays valid while the map grows. What a name stands for (`index`) and where its string was
 * placed (`offset`) are the owner's to fill in. Names are borrowed: they must outlive the map.
 */
#ifndef CULD_BASE_NAME_MAP_H
#define CULD_BASE_NAME_MAP_H

#include "base/array.h"

#include <stdbool.h>

struct name {
    const char *text;
    uint32_t length;
    int32_t index;   /* symbol or section of that name, 0: none */
    uint32_t offset; /* of the text in the output's string table, 0: not placed */
    int32_t local;   /* a local symbol of that name, 0: none */
    uint32_t input;  /* the input that mentioned the name first */
    bool is_weak;    /* that mention was a weak reference: it may stay undefined */
    uint8_t role;    /* of an object that nothing defines: enum object_role */
};

/*
 * A name as a member of a bucket's list: the newest one in the bucket, of each further one the link
 * of the name before it. Hashes are here too and names are not, so that a search looks at hardly any
 * name but the one that it finds.
 */
struct name_link {
    uint32_t id; /* 0: the end */
    uint32_t hash;
};

struct name_map {
    struct arena *arena;
    ARRAY(struct name) names;      /* [0] is unused */
    ARRAY(struct name_link) links; /* from each name to the next of its bucket */
    struct name_link *buckets;
    uint32_t mask;
};

/* What is computed of a name once. All zeroes: not computed yet. */
struct name_key {
    uint32_t length;
    uint32_t hash;
};

/* `buckets` must be a power of two. */
void name_map_init(struct name_map *map, struct arena *arena, uint32_t buckets);

/* About so many names will come. */
void name_map_expect_names(struct name_map *map, uint32_t count);

uint32_t name_hash(const char *text, size_t length);
struct name_key name_key_of(const char *text);
/* The same key, computed if it is not there. */
static inline struct name_key
name_key_complete(struct name_key key, const char *text)
{
    return key.length ? key : name_key_of(text);
}

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

uint32_t name_map_find_key(const struct name_map *map, const char *text, struct name_key key);
uint32_t name_map_add_key(struct name_map *map, const char *text, struct name_key key);

static inline uint32_t
name_map_bucket(const struct name_map *map, uint32_t hash)
{
    return hash & map->mask;
}

/* A name will be looked up soon: the way to memory begins now. */
static inline void
name_map_expect(const struct name_map *map, uint32_t hash)
{
    __builtin_prefetch(&map->buckets[name_map_bucket(map, hash)]);
}

#endif
