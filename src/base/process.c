#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool
start(const char *const *arguments, int output, bool with_errors, pid_t *process)
{
    posix_spawn_file_actions_t actions;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (with_errors)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failure =
        posix_spawnp(process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure == 0;
}

static bool
ended_well(pid_t process)
{
    int status;

    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool
process_output(const char *const *arguments, bool with_errors, struct input_file *output)
{
    int ends[2];
    pid_t process;

    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    bool started = start(arguments, ends[1], with_errors, &process);
    close(ends[1]);
    bool was_read = started && file_read_open(ends[0], output);
    close(ends[0]);
    bool done = started && ended_well(process);
    if (was_read && !done)
        file_release(output);
    return was_read && done;
}
