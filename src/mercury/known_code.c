#include "mercury/known_code.h"

/* A function has its place in one of so few slots that looking for it never takes long. */
enum {
    SAMPLES = 8,
    SHORTEST = SAMPLES * sizeof(uint64_t),
    FEW = 8,
    FIRST_SLOTS = 64,
    TEXT_NUMBER = 4
};

static bool
is_long_enough(struct bytes text, struct bytes capsule)
{
    return text.size >= SHORTEST && capsule.size > TEXT_NUMBER;
}

static struct bytes
behind_number(struct bytes capsule)
{
    return (struct bytes){capsule.at + TEXT_NUMBER, capsule.size - TEXT_NUMBER};
}

/* Of some words: functions that have these in common are told apart by all of their bytes. */
static uint32_t
hash_of(struct bytes text, struct bytes capsule)
{
    const uint64_t factor = 0x9e3779b97f4a7c15;
    uint64_t hash = text.size ^ (uint64_t)capsule.size << 32;
    size_t step = text.size / SAMPLES;

    for (size_t i = 0; i < SAMPLES; i++)
        hash = (hash ^ hash >> 29 ^ read_u64(text.at + i * step)) * factor;
    return (uint32_t)(hash >> 32);
}

struct known_function *
known_code_find(const struct known_code *known, struct bytes text, struct bytes capsule)
{
    if (!known->count || !is_long_enough(text, capsule))
        return NULL;
    uint32_t hash = hash_of(text, capsule);
    for (uint32_t i = 0; i < FEW; i++) {
        struct known_function *function = known->slots[(hash + i) & (known->slot_count - 1)];

        if (!function)
            return NULL;
        if (function->hash == hash && bytes_equal(function->text, text) &&
            bytes_equal(function->capsule, behind_number(capsule)))
            return function;
    }
    return NULL;
}

static bool
put(struct known_code *known, struct known_function *function)
{
    for (uint32_t i = 0; i < FEW; i++) {
        struct known_function **slot =
            &known->slots[(function->hash + i) & (known->slot_count - 1)];

        if (!*slot) {
            *slot = function;
            return true;
        }
    }
    return false;
}

/* Those that find no place are forgotten. */
static void
grow(struct known_code *known)
{
    struct known_code larger = *known;

    larger.slot_count = known->slot_count ? 2 * known->slot_count : FIRST_SLOTS;
    larger.count = 0;
    larger.slots = arena_array(known->arena, larger.slot_count, sizeof(struct known_function *));
    for (uint32_t i = 0; i < known->slot_count; i++)
        if (known->slots[i])
            larger.count += put(&larger, known->slots[i]);
    *known = larger;
}

struct known_function *
known_code_add(struct known_code *known, struct bytes text, struct bytes capsule)
{
    if (!is_long_enough(text, capsule))
        return NULL;
    if (known->count >= known->slot_count / 4)
        grow(known);
    struct known_function *function = arena_zero(known->arena, sizeof *function);
    function->text = text;
    function->capsule = behind_number(capsule);
    function->hash = hash_of(text, capsule);
    if (!put(known, function))
        return NULL;
    known->count++;
    return function;
}
