#include "toolkit/nvcc.h"

#include "toolkit/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The variables come first in what nvcc prints; nothing behind this many bytes is looked at. */
enum { ENOUGH = 64 * 1024 };

static bool
start(const char *nvcc, int output, pid_t *process)
{
    /* With -v nvcc shows its variables before it complains about the file. */
    const char *const arguments[] = {nvcc, "-v", "__culd_no_such_file__", NULL};
    posix_spawn_file_actions_t actions;

    if (posix_spawn_file_actions_init(&actions))
        return false;
    bool started =
        !posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) &&
        !posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) &&
        !posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO) &&
        !posix_spawn(process, nvcc, &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

/* Reads to the end, so that the writer never waits, and keeps what fits. */
static void
read_text(int from, char text[ENOUGH])
{
    char rest[4096] = ""; /* read, and not looked at */
    size_t size = 0;

    for (;;) {
        bool is_full = size == ENOUGH - 1;
        ssize_t got =
            read(from, is_full ? rest : text + size, is_full ? sizeof rest : ENOUGH - 1 - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        if (!is_full)
            size += (size_t)got;
    }
    text[size] = '\0';
}

static bool
run(const char *nvcc, char text[ENOUGH])
{
    int ends[2];
    pid_t process;

    if (pipe(ends))
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    bool started = start(nvcc, ends[1], &process);
    close(ends[1]);
    if (started) {
        read_text(ends[0], text);
        while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    close(ends[0]);
    return started;
}

const char *
nvcc_tool_folder(struct arena *arena, const char *nvcc)
{
    static const char variable[] = "#$ _HERE_=";
    char *text = arena_alloc(arena, ENOUGH);

    if (!run(nvcc, text))
        return NULL;
    char *folder = strstr(text, variable);
    if (!folder)
        return NULL;
    folder += strlen(variable);
    folder[strcspn(folder, "\r\n")] = '\0';
    return path_real(arena, folder);
}
