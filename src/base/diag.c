#include "base/diag.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
say_nothing(void *user, enum severity severity, const char *text)
{
    (void)user, (void)severity, (void)text;
}

struct diag
diag_silent(void)
{
    return (struct diag){.sink = say_nothing, .target_suffix = ""};
}

bool
diag_try(struct diag *diag, void (*function)(void *user), void *user)
{
    jmp_buf outer;
    bool has_ended = false;

    memcpy(&outer, &diag->unwind, sizeof outer);
    if (!setjmp(diag->unwind))
        function(user);
    else
        has_ended = true;
    memcpy(&diag->unwind, &outer, sizeof outer);
    return !has_ended;
}

void
diag_unwind(struct diag *diag)
{
    longjmp(diag->unwind, 1);
}

/* Symbol names can be long; what does not fit here is formatted on the heap. */
enum { SHORT_MESSAGE = 1024 };

static void
deliver(struct diag *diag, enum severity severity, const char *format, va_list arguments)
{
    char small[SHORT_MESSAGE];
    va_list again;

    if (diag->settle)
        diag->settle(diag->settle_user);
    va_copy(again, arguments);
    int length = vsnprintf(small, sizeof small, format, arguments);
    size_t suffix = strlen(diag->target_suffix);
    size_t total = (length < 0 ? 0 : (size_t)length) + suffix + 1;
    char *text = total <= sizeof small ? small : malloc(total);

    if (text && text != small)
        vsnprintf(text, total, format, again);
    else
        text = small; /* no memory for the long form: the beginning must do */
    va_end(again);
    if (total <= sizeof small || text != small)
        memcpy(text + total - suffix - 1, diag->target_suffix, suffix + 1);
    diag->sink(diag->user, severity, text);
    if (text != small)
        free(text);
}

#define DELIVER(severity)                                                                          \
    do {                                                                                           \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        deliver(diag, severity, format, arguments);                                                \
        va_end(arguments);                                                                         \
    } while (0)

void
diag_statistic(struct diag *diag, const char *format, ...)
{
    DELIVER(SEVERITY_INFO);
}

void
diag_text(struct diag *diag, const char *format, ...)
{
    DELIVER(SEVERITY_TEXT);
}

void
diag_hint(struct diag *diag, const char *format, ...)
{
    if (!diag->quiet)
        DELIVER(SEVERITY_INFO);
}

void
diag_warning(struct diag *diag, const char *format, ...)
{
    if (diag->quiet)
        return;
    if (diag->warnings_are_errors) {
        diag->errors++;
        diag->promoted_warnings++;
    }
    DELIVER(diag->warnings_are_errors ? SEVERITY_ERROR : SEVERITY_WARNING);
}

void
diag_error(struct diag *diag, const char *format, ...)
{
    diag->errors++;
    DELIVER(SEVERITY_ERROR);
}

void
diag_cause(struct diag *diag, const char *format, ...)
{
    DELIVER(SEVERITY_FATAL);
}

void
diag_fatal(struct diag *diag, const char *format, ...)
{
    DELIVER(SEVERITY_FATAL);
    diag_unwind(diag);
}

void
diag_damaged(struct diag *diag, const char *file, const char *section, uint64_t offset,
             const char *format, ...)
{
    char reason[SHORT_MESSAGE / 2];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    diag->has_damage = true;
    diag_fatal(diag, "Input file '%s' is damaged: %s at offset 0x%" PRIx64 ": %s", file, section,
               offset, reason);
}
