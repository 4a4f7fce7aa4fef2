/*
 * The command: options from the command line, messages to stderr, the result to its file.
 */
#include "command/guard.h"
#include "command/neighbours.h"
#include "link.h"
#include "toolkit/toolkit.h"

#include <stdio.h>
#include <string.h>

struct program {
    const char *name;
    culd_link *link;
};

/* Messages begin with the name nvlink when the command was started under it. */
static const char *
program_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, "nvlink") ? "culd" : "nvlink";
}

/* Names come from untrusted files: control characters do not reach the terminal. */
static void
print_safely(const char *text, bool may_have_lines)
{
    for (const char *at = text; *at; at++) {
        bool is_control = (unsigned char)*at < ' ' || *at == 0x7f;
        putc(is_control && !(may_have_lines && *at == '\n') ? '?' : *at, stderr);
    }
    putc('\n', stderr);
}

static void
print_message(void *user, enum culd_severity severity, const char *text)
{
    static const char *const classes[] = {
        [CULD_INFO] = "info",
        [CULD_WARNING] = "warning",
        [CULD_ERROR] = "error",
        [CULD_FATAL_ERROR] = "fatal",
    };

    const struct program *program = user;
    const char *wanted = culd_tool_name(program->link);

    if (severity != CULD_TEXT)
        fprintf(stderr, "%s %-8s: ", wanted ? wanted : program->name, classes[severity]);
    print_safely(text, severity == CULD_TEXT);
}

/* The worse of two statuses; a fatal error is worse than any number of others. */
static enum culd_status
worse(enum culd_status a, enum culd_status b)
{
    return a == CULD_FATAL || b == CULD_FATAL ? CULD_FATAL : a ? a : b;
}

static enum culd_status
print_requested_text(const culd_link *link)
{
    const char *text = culd_requested_text(link);

    return text && (fputs(text, stdout) < 0 || fflush(stdout)) ? CULD_FATAL : CULD_OK;
}

int
main(int argc, char **argv)
{
    guard_streams();
    static struct program program; /* all of it is there until the end */
    program.name = program_name(argc ? argv[0] : "");
    culd_link *link = program.link = culd_create(print_message, &program);

    if (!link) {
        fprintf(stderr, "%s fatal   : Out of memory\n", program.name);
        return CULD_FATAL;
    }
    guard_inputs(link, program.name);
    link_write_parts(link);
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);

    enum culd_status status = CULD_OK;
    for (int i = 1; i < argc && status == CULD_OK; i++)
        status = culd_add_option(link, argv[i]);
    if (status == CULD_OK) {
        use_neighbouring_ptxas(link, argc ? argv[0] : "");
        status = toolkit_is_wanted(link) ? toolkit_make(link) : culd_run(link);
        status = worse(status, culd_write_files(link));
        status = worse(status, print_requested_text(link));
    }
    link_leave(link);
    return status;
}
