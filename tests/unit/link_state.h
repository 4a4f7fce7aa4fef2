/*
 * link_state.h: a linker context for a test, with every message it gave.
 *
 * A fatal error that the test did not announce with EXPECT_FATAL fails the test with its text.
 */
#ifndef CULD_TEST_LINK_STATE_H
#define CULD_TEST_LINK_STATE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "elfw/elfw.h"

enum { MAX_MESSAGES = 32, MAX_MESSAGE = 512 };

struct message {
    enum severity severity;
    char text[MAX_MESSAGE];
};

struct link_state {
    struct arena arena;
    struct diag diag;
    struct arch arch;
    struct elfw *elfw;
    struct message messages[MAX_MESSAGES];
    unsigned message_count;
    bool expects_fatal;
};

/* An elfw without inputs; `arch` as -arch has it. */
struct link_state *link_state_open(const char *arch, uint32_t merge_flags);
void link_state_close(struct link_state *link);

/* The last message, "" if there was none. */
const char *last_message(const struct link_state *link);

/* The global or weak symbol of that name; the test fails if there is none. */
struct symbol_record *named_symbol(const struct link_state *link, const char *name);

/* The statement must end in a fatal error of this text. */
#define EXPECT_FATAL(link, expected, ...)                                                          \
    do {                                                                                           \
        (link)->expects_fatal = true;                                                              \
        if (!setjmp((link)->diag.unwind)) {                                                        \
            __VA_ARGS__;                                                                           \
            fail_msg("no fatal error, expected: %s", expected);                                    \
        }                                                                                          \
        (link)->expects_fatal = false;                                                             \
        assert_string_equal(last_message(link), expected);                                         \
    } while (0)

#endif
