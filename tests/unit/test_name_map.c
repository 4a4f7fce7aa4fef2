/*
 * test_name_map.c: the hash of names, and the map that stores each name once.
 */
#include "link_state.h"

#include "base/murmur3.h"

#include "link_state.c"

/* Published values of MurmurHash3_x86_32, and names of device code. */
static void
test_murmur_vectors(void **state)
{
    static const struct {
        const char *key;
        uint32_t seed, hash;
    } vectors[] = {
        {"", 0, 0},
        {"", 1, 0x514E28B7},
        {"", 0xFFFFFFFF, 0x81F16F39},
        {"a", 0x9747B28C, 0x7FA09EA6},
        {"aa", 0x9747B28C, 0x5D211726},
        {"aaa", 0x9747B28C, 0x283E0130},
        {"aaaa", 0x9747B28C, 0x5A97808A},
        {"abc", 0, 0xB3DD93FA},
        {"Hello, world!", 0x9747B28C, 0x24884CBA},
        {"The quick brown fox jumps over the lazy dog", 0x9747B28C, 0x2FA826CD},
        {"main_kernel", 0, 0xC65D92BC},
        {"helper_fn", 0, 0x3BA6AA63},
        {"__nv_sqrt", 0, 0xBCFBED0E},
        {"my_kernel", 0, 0xB294C63C},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(vectors); i++)
        assert_int_equal(murmur3_x86_32(vectors[i].key, strlen(vectors[i].key), vectors[i].seed),
                         vectors[i].hash);
    assert_int_equal(murmur3_x86_32("\0\0\0\0", 4, 0), 0x2362F9DE);
    assert_int_equal(murmur3_x86_32("\xff\xff\xff\xff", 4, 0), 0x76293B50);
    assert_int_equal(murmur3_x86_32("\x21\x43\x65\x87", 4, 0), 0xF55B516B);
    assert_int_equal(murmur3_x86_32("\x21\x43\x65", 3, 0), 0x7E4A8634);
    assert_int_equal(murmur3_x86_32("\x21\x43", 2, 0), 0xA0F7B07A);
    assert_int_equal(murmur3_x86_32("\x21", 1, 0), 0x72661CF4);
}

/* Keys need no alignment. */
static void
test_murmur_of_unaligned_keys(void **state)
{
    char text[] = "???main_kernel";

    (void)state;
    for (size_t shift = 1; shift < 4; shift++) {
        memmove(text + shift, "main_kernel", strlen("main_kernel"));
        assert_int_equal(murmur3_x86_32(text + shift, strlen("main_kernel"), 0), 0xC65D92BC);
    }
}

static void
test_ids_follow_first_appearance(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct name_map map;

    (void)state;
    name_map_init(&map, &link->arena, 8);
    assert_int_equal(name_map_find(&map, "a"), 0);
    assert_int_equal(name_map_add(&map, "b"), 1);
    assert_int_equal(name_map_add(&map, "a"), 2);
    assert_int_equal(name_map_add(&map, ""), 3); /* a name like any other */
    assert_int_equal(name_map_add(&map, "b"), 1);
    assert_int_equal(name_map_add(&map, "a"), 2);
    assert_int_equal(name_map_find(&map, ""), 3);
    assert_int_equal(name_map_find(&map, "ab"), 0);
    assert_int_equal(map.names.count, 4);
    /* What the name stands for is the owner's to fill in. */
    assert_int_equal(name_at(&map, 1)->index, 0);
    assert_int_equal(name_at(&map, 1)->length, 1);
    link_state_close(link);
}

/* The text is what decides, not the hash: a given hash may be wrong for both. */
static void
test_equal_hashes_of_different_names(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct name_map map;

    (void)state;
    name_map_init(&map, &link->arena, 8);
    uint32_t one = name_map_add_hashed(&map, "one", 3, 77);
    uint32_t two = name_map_add_hashed(&map, "two", 3, 77);
    uint32_t longer = name_map_add_hashed(&map, "twofold", 7, 77);
    assert_int_not_equal(one, two);
    assert_int_not_equal(two, longer);
    assert_int_equal(name_map_add_hashed(&map, "one", 3, 77), one);
    assert_int_equal(name_map_add_hashed(&map, "two-part", 3, 77), two); /* three bytes of it */
    assert_int_equal(map.names.count, 4);
    link_state_close(link);
}

enum { MANY = 20000 };

static const char *
numbered(struct arena *arena, unsigned n)
{
    return arena_format(arena, "_Z6kernelILi%uEEvPf", n);
}

/* How far from its bucket a name stands. */
static unsigned
longest_search(const struct name_map *map)
{
    unsigned longest = 0;

    for (uint32_t slot = 0; slot <= map->mask; slot++) {
        uint32_t id = map->slots[slot] & map->mask;
        const struct name *name = name_at(map, id);
        uint32_t bucket = name_map_bucket(map, name->hash);
        unsigned distance = (slot - bucket) & map->mask;

        if (!map->slots[slot])
            continue;
        assert_int_equal(name_hash(name->text, name->length), name->hash);
        assert_int_equal(map->slots[slot] & ~map->mask, name->hash & ~map->mask);
        if (distance > longest)
            longest = distance;
    }
    return longest;
}

/* A map that begins with one bucket grows with its names; ids and what they hold stay. */
static void
test_growth(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct name_map map;

    (void)state;
    name_map_init(&map, &link->arena, 1);
    for (unsigned n = 1; n <= MANY; n++) {
        uint32_t id = name_map_add(&map, numbered(&link->arena, n));
        assert_int_equal(id, n);
        name_at(&map, id)->index = -(int32_t)n;
    }
    assert_true(map.mask + 1 >= MANY);
    assert_true(map.mask + 1 < 6 * MANY);
    assert_int_equal(map.mask & (map.mask + 1), 0);
    assert_true(longest_search(&map) <= 40);
    for (unsigned n = 1; n <= MANY; n++) {
        uint32_t id = name_map_find(&map, numbered(&link->arena, n));
        assert_int_equal(id, n);
        assert_int_equal(name_at(&map, id)->index, -(int32_t)n);
    }
    assert_int_equal(name_map_find(&map, numbered(&link->arena, MANY + 1)), 0);
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_murmur_vectors),
        cmocka_unit_test(test_murmur_of_unaligned_keys),
        cmocka_unit_test(test_ids_follow_first_appearance),
        cmocka_unit_test(test_equal_hashes_of_different_names),
        cmocka_unit_test(test_growth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
