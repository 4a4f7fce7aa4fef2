/*
 * test_code_map.c: lengths of mercury instructions, and the frame of a definition that was replaced.
 */
#include "link_state.h"

#include "mercury/code_map.h"
#include "mercury/frame_events.h"
#include "mercury/frame_record.h"
#include "mercury/instruction_width.h"

#include "link_state.c"

static void
test_widths(void **state)
{
    static const struct {
        uint64_t low, high;
        unsigned width;
    } cases[] = {
        {0x0000001100087202, 0x000fe20000000f00, 16}, /* MOV */
        {0x0000000000147802, 0x000fe20000000f00, 16}, /* MOV, constant */
        {0x0000000104017210, 0x000fc60007ffe0ff, 16}, /* IADD3 of two */
        {0x0000000504077210, 0x000fca0007ffe006, 32}, /* ... of three */
        {0x000000ff05057210, 0x000fca00007fe4ff, 32}, /* ... with a carry */
        {0xfffffff902020810, 0x000fca0007ffe0ff, 32}, /* ... with a constant */
        {0x000000ff0000720c, 0x000fda0003f05270, 16}, /* ISETP */
        {0x000000ff0000720c, 0x000fda0000705670, 32}, /* ... combined with a predicate */
        {0x000000ff0000720c, 0x000fda0007f05270, 32}, /* ... with the opposite of the true one */
        {0x000000ff03037212, 0x000fe400078ec0ff, 16}, /* LOP3 of two */
        {0x000000ff03037212, 0x000fe400078ee2ff, 32}, /* ... of three, the last of which is none */
        {0x0000027000007945, 0x000fec0003800200, 16}, /* BSSY */
        {0x000006f000007945, 0x003fde0003800000, 32},
        {0x0000000004047229, 0x000fca0000000006, 16}, /* DADD */
        {0x0000000000527947, 0x000fea0003800000, 32}, /* BRA */
        {0x000000000000794d, 0x000fea0003800000, 16}, /* EXIT */
        {0x00000000000079ff, 0x000fea0003800000, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(implied_width(cases[i].low, cases[i].high), cases[i].width);
}

/* Instructions of 16, 32 and 16 bytes; the second one becomes three of SASS, of which two only wait. */
static struct code_place some_places[] = {
    {0x00, 0x00, 0, 0, 0, false, false},
    {0x10, 0x10, 0, 0, 0, false, false},
    {0x30, 0x40, 0, 0, 0, false, false},
    {0x40, 0x50, 0, 0, 0, false, false},
};
static const struct code_map some_code = {.places = {some_places, 4}};

static void
test_places(void **state)
{
    (void)state;
    assert_ptr_equal(code_at(&some_code, 0x10), &some_places[1]);
    assert_null(code_at(&some_code, 0x20));
    assert_ptr_equal(code_from(&some_code, 0x20), &some_places[2]);
    assert_null(code_from(&some_code, 0x41));
    assert_ptr_equal(code_of_sass(&some_code, 0x40), &some_places[2]);
    assert_null(code_of_sass(&some_code, 0x30));
    assert_int_equal(place_before_next(&some_code, &some_places[1]), 0x30);
    assert_ptr_equal(code_before_next(&some_code, 0x30), &some_places[1]);
    assert_null(code_before_next(&some_code, 0x10));
    assert_ptr_equal(code_before_next(&some_code, 0x40), &some_places[2]);
}

#define ADVANCE(words) FRAME_ADVANCE, words, 0, 0, 0
#define REMEMBER 0x0a
#define RESTORE 0x0b

/* Frames that say something at the places of mercury: REMEMBER at 0x30, as far as 0x30; then
   RESTORE at 0x20, where nothing begins, and at 0x30. What is said last of a place holds. */
static void
test_events(void **state)
{
    static const uint8_t first[] = {[CODE_AT] = ADVANCE(0x30), REMEMBER, ADVANCE(0)};
    static const uint8_t second[] = {[CODE_AT] = ADVANCE(0x20), RESTORE, ADVANCE(0x10), RESTORE, 0};
    static const uint8_t expected[] = {ADVANCE(0x20 / 4), RESTORE, 0, 0, 0, 0, 0, 0};
    struct link_state *link = link_state_open("sm_100", 0);
    struct frame_events events = {.map = &some_code};
    struct function function = {0};

    (void)state;
    frame_events_add(&events, &link->arena, (struct bytes){first, sizeof first});
    frame_events_add(&events, &link->arena, (struct bytes){second, sizeof second});
    struct bytes frame =
        frame_events_write(&events, &link->arena, &function, (struct bytes){second, sizeof second});
    assert_int_equal(frame.size, CODE_AT + sizeof expected);
    assert_memory_equal(frame.at + CODE_AT, expected, sizeof expected);
    assert_int_equal(read_u64(frame.at + LENGTH_AT), frame.size - CIE_POINTER_AT);
    assert_true(frame_events_fit(&events, frame));
    write_u32((uint8_t *)frame.at + CODE_AT + 1, 0x50 / 4); /* behind the next instruction */
    assert_false(frame_events_fit(&events, frame));
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
