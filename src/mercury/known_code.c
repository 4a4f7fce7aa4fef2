#include "mercury/known_code.h"

/* A function has its place in one of so few slots that looking for it never takes long. */
enum {
    SAMPLES = 8,
    SHORTEST = SAMPLES * sizeof(uint64_t),
    FEW = 32,
    FIRST_SLOTS = 64,
    MET_SLOTS = 2048,
    TEXT_NUMBER = 4
};

/* Of some words: functions that have these in common are told apart by all of their bytes. */
static uint32_t
hash_of(struct bytes text, struct bytes capsule)
{
    const uint64_t factor = 0x9e3779b97f4a7c15;
    uint64_t hash = text.size ^ (uint64_t)capsule.size << 32;
    size_t step = text.size / SAMPLES;

    for (size_t i = 0; i < SAMPLES; i++)
        hash = (hash ^ hash >> 29 ^ read_u64(text.at + i * step)) * factor;
    return (uint32_t)(hash >> 32) | 1;
}

struct code_key
code_key(struct bytes text, struct bytes capsule)
{
    if (text.size < SHORTEST || capsule.size <= TEXT_NUMBER)
        return (struct code_key){0};
    return (struct code_key){
        text, {capsule.at + TEXT_NUMBER, capsule.size - TEXT_NUMBER}, hash_of(text, capsule)};
}

/* The first place for functions of that hash; half of it, since hashes are odd. */
static uint32_t
place_of(const struct known_code *known, uint32_t hash)
{
    return hash >> 1 & (known->slot_count - 1);
}

static struct known_function **
slot_at(const struct known_code *known, uint32_t place)
{
    return &known->slots[place & (known->slot_count - 1)];
}

struct known_function *
known_code_find(const struct known_code *known, const struct code_key *key)
{
    if (!known->count || !key->hash)
        return NULL;
    for (uint32_t i = 0, place = place_of(known, key->hash); i < FEW; i++) {
        struct known_function *function = *slot_at(known, place + i);

        if (!function)
            return NULL;
        if (function->hash == key->hash && bytes_equal(function->text, key->text) &&
            bytes_equal(function->capsule, key->capsule))
            return function;
    }
    return NULL;
}

bool
known_code_meet(struct known_code *known, const struct code_key *key)
{
    if (!key->hash)
        return false;
    if (!known->met)
        known->met = arena_array(known->arena, MET_SLOTS, sizeof *known->met);
    uint32_t *met = &known->met[(key->hash >> 1) % MET_SLOTS], before = *met;
    *met = key->hash;
    return before == key->hash;
}

/* NULL: there is no place. */
static struct known_function **
free_slot(const struct known_code *known, uint32_t hash)
{
    for (uint32_t i = 0, place = place_of(known, hash); i < FEW; i++)
        if (!*slot_at(known, place + i))
            return slot_at(known, place + i);
    return NULL;
}

/* Those that find no place are forgotten. */
static void
grow(struct known_code *known)
{
    struct known_code larger = *known;

    larger.slot_count = known->slot_count ? 2 * known->slot_count : FIRST_SLOTS;
    larger.count = 0;
    larger.slots = arena_array(known->arena, larger.slot_count, sizeof(struct known_function *));
    for (uint32_t i = 0; i < known->slot_count; i++) {
        struct known_function **slot =
            known->slots[i] ? free_slot(&larger, known->slots[i]->hash) : NULL;

        if (slot) {
            *slot = known->slots[i];
            larger.count++;
        }
    }
    *known = larger;
}

struct known_function *
known_code_add(struct known_code *known, const struct code_key *key)
{
    if (!key->hash)
        return NULL;
    if (known->count >= known->slot_count / 4)
        grow(known);
    struct known_function **slot = free_slot(known, key->hash);
    if (!slot)
        return NULL;
    struct known_function *function = arena_zero(known->arena, sizeof *function);
    function->text = key->text;
    function->capsule = key->capsule;
    function->hash = key->hash;
    *slot = function;
    known->count++;
    return function;
}
