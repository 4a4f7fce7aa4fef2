#include "linkers.h"

#include "base/file.h"
#include "culd.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static struct bytes
copy_of(const void *at, size_t size)
{
    uint8_t *copy = malloc(size + 1);

    if (copy && size)
        memcpy(copy, at, size);
    return (struct bytes){copy, copy ? size : 0};
}

void
result_release(struct result *result)
{
    free((void *)result->output.at);
}

/* ---- culd ---- */

static int
add_word(culd_link *link, const struct damaged_link *damaged, unsigned word)
{
    const struct link_case *own = damaged->link;
    struct bytes file = word == damaged->word ? damaged->file : own->files[word];

    if (!own->files[word].size)
        return culd_add_option(link, own->words[word]);
    return culd_add_image(link, own->words[word], file.at, file.size);
}

struct result
culd_links(const struct damaged_link *damaged)
{
    static const char *const fixed[] = {"--identify-as=nvlink", "--threads=1", "-o", "out.cubin"};
    struct result result = {.status = CULD_OK};
    culd_link *link = culd_create(NULL, NULL);

    for (size_t i = 0; i < sizeof fixed / sizeof *fixed && !result.status; i++)
        result.status = culd_add_option(link, fixed[i]);
    for (unsigned i = 0; i < damaged->link->count && !result.status; i++)
        result.status = add_word(link, damaged, i);
    if (!result.status)
        result.status = culd_run(link);
    if (!result.status) {
        size_t size = 0;
        const void *output = culd_output(link, &size);
        result.output = copy_of(output, size);
    }
    culd_destroy(link);
    return result;
}

/* ---- nvlink ---- */

static bool
write_file(const char *path, struct bytes bytes)
{
    FILE *file = fopen(path, "wb");
    bool is_written = file && fwrite(bytes.at, 1, bytes.size, file) == bytes.size;

    return file && fclose(file) == 0 && is_written;
}

/* Its exit status or the signal that ended it, which is ours if it runs too long. */
static int
wait_for(pid_t process)
{
    enum { SECONDS = 10, STEPS_A_SECOND = 2000 };
    struct timespec step = {.tv_nsec = 1000000000 / STEPS_A_SECOND};
    int status = 0;

    for (int steps = 0; waitpid(process, &status, WNOHANG) == 0; steps++) {
        if (steps == SECONDS * STEPS_A_SECOND)
            kill(process, SIGKILL);
        nanosleep(&step, NULL);
    }
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int
run_quietly(char **words)
{
    posix_spawn_file_actions_t actions;
    pid_t process = 0;

    posix_spawn_file_actions_init(&actions);
    for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; stream++)
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    int problem = posix_spawnp(&process, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (problem) {
        fprintf(stderr, "%s: %s\n", words[0], strerror(problem));
        exit(2);
    }
    return wait_for(process);
}

struct result
nvlink_links(const struct damaged_link *damaged, const char *nvlink, const char *folder)
{
    const struct link_case *link = damaged->link;
    char *words[MOST_WORDS + 4] = {(char *)nvlink}, input[PATH_MAX], output[PATH_MAX];
    struct result result = {0};

    memcpy(words + 1, link->words, link->count * sizeof *words);
    if (damaged->word < link->count) {
        /* Its ending says what it is. */
        const char *name = strrchr(link->words[damaged->word], '/');
        snprintf(input, sizeof input, "%s/%s", folder, name ? name + 1 : "input");
        if (!write_file(input, damaged->file))
            exit(2);
        words[1 + damaged->word] = input;
    }
    snprintf(output, sizeof output, "%s/out.cubin", folder);
    unlink(output);
    words[1 + link->count] = (char *)"-o";
    words[2 + link->count] = output;
    result.status = run_quietly(words);
    struct input_file file;
    if (!result.status && file_read(output, &file)) {
        result.output = copy_of(file.bytes.at, file.bytes.size);
        file_release(&file);
    }
    return result;
}
