/*
 * test_fatbin.c: which entry of a fatbin is taken for which target, and what damage is noticed.
 */
#include "link_state.h"

#include "input/fatbin.h"

#include <lz4.h>
#include <zstd.h>

#include "link_state.c"

enum { HEADER = 16, ENTRY = 64, MAX_ENTRIES = 4, ROOM = 4096 };
enum {
    FLAG_64BIT = 1,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    FLAG_A = 0x100000,
    FLAG_F = 0x200000
};

struct entry {
    uint16_t kind;
    uint32_t sm;
    uint64_t flags;
};

struct container {
    uint8_t bytes[ROOM];
    size_t size;
};

static void
begin(struct container *container)
{
    memset(container, 0, sizeof *container);
    write_u32(container->bytes, FATBIN_MAGIC);
    write_u16(container->bytes + 4, 1);
    write_u16(container->bytes + 6, HEADER);
    container->size = HEADER;
}

static uint8_t *
add_entry(struct container *container, struct entry entry, const void *payload, size_t size)
{
    uint8_t *at = container->bytes + container->size;
    size_t padded = align_up(size, 8);

    assert_true(container->size + ENTRY + padded <= ROOM);
    write_u16(at, entry.kind);
    write_u32(at + 4, ENTRY);
    write_u64(at + 8, padded);
    write_u32(at + 28, entry.sm);
    write_u64(at + 40, entry.flags | FLAG_64BIT);
    memcpy(at + ENTRY, payload, size);
    container->size += ENTRY + padded;
    write_u64(container->bytes + 8, container->size - HEADER);
    return at;
}

static enum fatbin_result
choose(const struct container *container, const char *target, struct fatbin_entry *out)
{
    struct arch arch;
    enum arch_kind kind = arch_parse(target, &arch);

    return fatbin_choose((struct bytes){container->bytes, container->size},
                         &(struct fatbin_wish){&arch, kind == ARCH_VIRTUAL, false}, out);
}

/* The payload of an entry is its number, so that equal entries can be told apart. */
static void
test_choice(void **state)
{
    static const struct {
        const char *target;
        struct entry entries[MAX_ENTRIES];
        int chosen; /* -1: none */
    } cases[] = {
        {"sm_90", {{2, 80, 0}, {2, 90, 0}}, 1},
        {"sm_89", {{2, 80, 0}, {1, 86, 0}}, 1},
        {"sm_89", {{2, 80, 0}, {2, 86, 0}, {1, 80, 0}}, 1},
        {"sm_87", {{2, 80, 0}}, -1},
        {"sm_90", {{1, 90, 0}, {2, 90, 0}}, 1},
        {"sm_90", {{2, 90, 0}, {2, 90, FLAG_A}}, 1},
        {"sm_90", {{2, 90, 0}, {2, 90, 0}}, 0},
        {"sm_90", {{1, 90, 0}, {1, 90, 0}}, 1},
        {"sm_90", {{1, 80, 0}, {1, 80, 0}}, 0},
        {"sm_90", {{1, 90, FLAG_A}, {1, 80, 0}}, 1},
        {"sm_90a", {{1, 90, FLAG_A}, {1, 90, 0}}, 0},
        {"sm_103", {{1, 100, FLAG_F}, {1, 100, 0}}, 0},
        {"sm_120", {{1, 100, FLAG_F}, {1, 90, 0}}, 1},
        {"sm_75", {{1, 80, 0}, {2, 80, 0}}, -1},
        {"compute_90", {{2, 90, 0}, {1, 80, 0}}, 1},
        {"compute_90", {{2, 90, 0}}, -1},
        {"sm_90", {{3, 90, 0}, {0x40, 90, 0}}, -1},
    };

    (void)state;
    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        struct container container;
        struct fatbin_entry entry;

        begin(&container);
        for (uint8_t e = 0; e < MAX_ENTRIES && cases[c].entries[e].kind; e++)
            add_entry(&container, cases[c].entries[e], &e, 1);
        enum fatbin_result result = choose(&container, cases[c].target, &entry);
        int chosen = result == FATBIN_CHOSEN ? entry.payload.at[0] : -1;
        if (chosen != cases[c].chosen)
            fail_msg("case %zu: entry %d instead of %d", c, chosen, cases[c].chosen);
    }
}

static void
test_code_for_32_bits_is_no_candidate(void **state)
{
    struct container container;
    struct fatbin_entry entry;

    (void)state;
    begin(&container);
    uint8_t *at = add_entry(&container, (struct entry){2, 90, 0}, "x", 1);
    write_u64(at + 40, 0);
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_NO_MATCH);
}

static void
test_link_time_code_is_a_last_resort(void **state)
{
    struct container container;
    struct fatbin_entry entry;

    (void)state;
    begin(&container);
    add_entry(&container, (struct entry){8, 90, 0}, "x", 1);
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_ONLY_LTO);
    add_entry(&container, (struct entry){1, 80, 0}, "x", 1);
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_CHOSEN);
    assert_int_equal(entry.kind, FATBIN_PTX);
}

static void
test_damage(void **state)
{
    struct container container;
    struct fatbin_entry entry;

    (void)state;
    begin(&container);
    container.size = 4;
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_UNKNOWN);
    begin(&container);
    write_u16(container.bytes + 4, 2);
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_UNKNOWN);
    begin(&container);
    write_u64(container.bytes + 8, UINT64_MAX);
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_DAMAGED);
    begin(&container);
    uint8_t *at = add_entry(&container, (struct entry){2, 90, 0}, "x", 1);
    write_u32(at + 4, 0); /* an entry without a header would be its own successor */
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_DAMAGED);
    write_u32(at + 4, ENTRY);
    write_u64(at + 8, UINT64_MAX - 8);
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_DAMAGED);
}

static void
test_options_end_inside_the_header(void **state)
{
    struct container container;
    struct fatbin_entry entry;

    (void)state;
    begin(&container);
    uint8_t *at = add_entry(&container, (struct entry){1, 90, 0}, "text", 5);
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_CHOSEN);
    assert_string_equal(entry.options, "");
    write_u32(at + 20, ENTRY - 2); /* in the fixed part of the header */
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_DAMAGED);
    write_u32(at + 20, 4096); /* behind it */
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_DAMAGED);
    write_u32(at + 20, 0);
    write_u16(at, 0x10); /* a kind that nothing reads */
    assert_int_equal(choose(&container, "sm_90", &entry), FATBIN_DAMAGED);
}

/* ---- Unpacking ---- */

static struct fatbin_entry
packed(struct container *container, uint64_t flag, const void *data, size_t packed, size_t size)
{
    struct fatbin_entry entry;

    begin(container);
    uint8_t *at = add_entry(container, (struct entry){2, 90, flag}, data, packed);
    write_u32(at + 16, (uint32_t)packed);
    write_u64(at + 56, size);
    assert_int_equal(choose(container, "sm_90", &entry), FATBIN_CHOSEN);
    return entry;
}

static void
test_unpacking(void **state)
{
    struct link_state *link = link_state_open("sm_90", 0);
    struct unpacker unpacker = {.arena = &link->arena};
    static uint8_t original[1000];
    char room[2000];
    struct container container;
    struct bytes out;

    (void)state;
    for (size_t i = 0; i < sizeof original; i++)
        original[i] = (uint8_t)(i / 7);
    int lz4 = LZ4_compress_default((const char *)original, room, sizeof original, sizeof room);
    struct fatbin_entry entry = packed(&container, FLAG_LZ4, room, (size_t)lz4, sizeof original);
    assert_int_equal(fatbin_unpack(&unpacker, &entry, &out), UNPACKED);
    assert_memory_equal(out.at, original, sizeof original);
    entry.unpacked_size--;
    assert_int_not_equal(fatbin_unpack(&unpacker, &entry, &out), UNPACKED);

    size_t zstd = ZSTD_compress(room, sizeof room, original, sizeof original, 3);
    entry = packed(&container, FLAG_ZSTD, room, zstd, sizeof original);
    assert_int_equal(fatbin_unpack(&unpacker, &entry, &out), UNPACKED);
    assert_memory_equal(out.at, original, sizeof original);
    entry.unpacked_size++;
    assert_int_equal(fatbin_unpack(&unpacker, &entry, &out), UNPACKED_SIZE_DIFFERS);
    entry.unpacked_size = (uint64_t)1 << 62; /* more than there is memory */
    assert_int_not_equal(fatbin_unpack(&unpacker, &entry, &out), UNPACKED);
    entry.unpacked_size = sizeof original;
    entry.payload.size /= 2;
    assert_int_equal(fatbin_unpack(&unpacker, &entry, &out), UNPACKING_FAILED);
    entry.payload.size = zstd; /* a failure leaves nothing behind */
    assert_int_equal(fatbin_unpack(&unpacker, &entry, &out), UNPACKED);
    assert_memory_equal(out.at, original, sizeof original);
    unpacker_release(&unpacker);
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_code_for_32_bits_is_no_candidate),
        cmocka_unit_test(test_link_time_code_is_a_last_resort),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_options_end_inside_the_header),
        cmocka_unit_test(test_unpacking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
