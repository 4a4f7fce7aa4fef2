/*
 * diag.h: everything a link has to say.
 *
 * diag_error counts and returns, so that one run reports every problem it can; the driver stops
 * between phases. diag_fatal is for what cannot be continued: it unwinds to the driver, and the
 * arenas of the link free the rest. Nothing here writes to a stream: messages go to the caller's
 * sink, because the library must stay silent.
 */
#ifndef CULD_BASE_DIAG_H
#define CULD_BASE_DIAG_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_FATAL, SEVERITY_TEXT };

typedef void (*diag_sink)(void *user, enum severity severity, const char *text);

struct diag {
    diag_sink sink;
    void *user;
    const char *target_suffix; /* " (target: sm_90)" with --report-arch, else "" */
    bool warnings_are_errors;
    bool quiet; /* --disable-infos: neither infos nor warnings */
    unsigned errors;
    unsigned promoted_warnings; /* those of `errors` that were warnings */
    bool has_damage;            /* diag_damaged was called */
    jmp_buf unwind;

    /* Called before anything is said: what was begun earlier has its say first. NULL: nothing. */
    void (*settle)(void *user);
    void *settle_user;
};

/* For work that is done again, aloud, where it fails. */
struct diag diag_silent(void);

/* Calls the function; false if it ended the link, for which there is something to be tidied up first:
   diag_unwind goes on with it. */
bool diag_try(struct diag *diag, void (*function)(void *user), void *user);
_Noreturn void diag_unwind(struct diag *diag);

#define DIAG_FORMAT(at) __attribute__((format(printf, at, (at) + 1)))

void diag_warning(struct diag *diag, const char *format, ...) DIAG_FORMAT(2);
void diag_error(struct diag *diag, const char *format, ...) DIAG_FORMAT(2);
/* A fatal line that another follows: what diag_fatal says next. */
void diag_cause(struct diag *diag, const char *format, ...) DIAG_FORMAT(2);
_Noreturn void diag_fatal(struct diag *diag, const char *format, ...) DIAG_FORMAT(2);

/* A line that no option silences, as the statistics of --verbose. */
void diag_statistic(struct diag *diag, const char *format, ...) DIAG_FORMAT(2);

/* A line of another tool, which names itself. */
void diag_text(struct diag *diag, const char *format, ...) DIAG_FORMAT(2);

/* What may help with what was said. */
void diag_hint(struct diag *diag, const char *format, ...) DIAG_FORMAT(2);

/* The input breaks the format: names the file, the section and the offset in the file. */
_Noreturn void diag_damaged(struct diag *diag, const char *file, const char *section,
                            uint64_t offset, const char *format, ...) DIAG_FORMAT(5);

#endif
