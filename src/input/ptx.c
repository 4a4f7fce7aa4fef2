#define _GNU_SOURCE /* memfd_create */

#include "input/ptx.h"

#include "base/diag.h"
#include "base/text.h"
#include "cubin/elf_view.h"
#include "cubin/notes.h"
#include "input/cubin_check.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What the compiler's files are to it. */
enum { TEXT_DESCRIPTOR = 3, CUBIN_DESCRIPTOR = 4, FIRST_FREE_DESCRIPTOR = 10 };
#define TEXT_PATH "/proc/self/fd/3"
#define CUBIN_PATH "/proc/self/fd/4"
#define TEXT_RECORD "3"
#define CUBIN_RECORD "4"

/* What nvlink's own compilations call their files. */
#define TEXT_NAME "application ptx input"
#define CUBIN_NAME "elf.o"

/* ---- The compiler's command line ---- */

typedef ARRAY(char *) words;

/* The words of `text` that blanks separate. */
static void
add_words(struct arena *arena, words *list, const char *text)
{
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = strcspn(text, " ");
        if (length)
            array_push(list, arena, arena_text(arena, text, length));
    }
}

static void
add_word(struct arena *arena, words *list, const char *word)
{
    array_push(list, arena, arena_text(arena, word, strlen(word)));
}

static char **
build_arguments(struct ptx_compiler *compiler, const char *options)
{
    struct arena *arena = compiler->arena;
    words list = {0};

    add_word(arena, &list, compiler->ptxas);
    add_word(arena, &list, "-c");
    add_word(arena, &list, "-m64");
    add_word(arena, &list,
             arena_format(arena, "-arch=sm_%u%s", compiler->arch->sm,
                          compiler->arch->suffix == 'a' ? "a" : ""));
    add_words(arena, &list, options);
    for (uint32_t i = 0; i < compiler->option_count; i++)
        add_words(arena, &list, compiler->options[i]);
    add_word(arena, &list, TEXT_PATH);
    add_word(arena, &list, "-o");
    add_word(arena, &list, CUBIN_PATH);
    array_push(&list, arena, NULL);
    return list.at;
}

/* ---- Finding ptxas ---- */

static const char *
in_folder(struct arena *arena, const char *folder, size_t length, const char *name)
{
    const char *path = arena_format(arena, "%.*s/%s", (int)length, folder, name);
    return length && access(path, X_OK) == 0 ? path : NULL;
}

/* On PATH, where nvcc's folder is when nvcc started us, or in a toolkit where others look for it. */
static const char *
find_ptxas(struct arena *arena)
{
    static const char *const roots[] = {"CUDA_PATH", "CUDA_HOME"};
    const char *found = NULL;

    for (const char *at = getenv("PATH"); at && !found; at = strchr(at, ':')) {
        at += *at == ':';
        found = in_folder(arena, at, strcspn(at, ":"), "ptxas");
    }
    for (size_t i = 0; i < COUNT_OF(roots) && !found; i++) {
        const char *root = getenv(roots[i]);
        if (root)
            found = in_folder(arena, root, strlen(root), "bin/ptxas");
    }
    return found ? found
                 : in_folder(arena, "/usr/local/cuda", strlen("/usr/local/cuda"), "bin/ptxas");
}

static void
require_ptxas(struct ptx_compiler *compiler, const char *name)
{
    bool is_given = compiler->ptxas;

    if (!compiler->ptxas)
        compiler->ptxas = find_ptxas(compiler->arena);
    if (compiler->ptxas && access(compiler->ptxas, X_OK) == 0)
        return;
    if (is_given)
        diag_fatal(compiler->arena->diag, "Input file '%s' is PTX, and there is no ptxas at '%s'",
                   name, compiler->ptxas);
    diag_fatal(compiler->arena->diag,
               "Input file '%s' is PTX, which needs ptxas to compile it: not found on PATH nor in "
               "CUDA_PATH, CUDA_HOME or /usr/local/cuda; say --ptxas-path=FILE",
               name);
}

/* ---- Starting ---- */

/* Above the descriptors it will have in the compiler, so that none is closed by another's move. */
static int
anonymous_file(struct diag *diag, const char *name)
{
    int low = memfd_create(name, MFD_CLOEXEC);
    int descriptor = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR);

    if (low >= 0)
        close(low);
    if (descriptor < 0)
        diag_fatal(diag, "Could not make a temporary file: %s", strerror(errno));
    return descriptor;
}

static bool
write_text(int descriptor, struct bytes text)
{
    const uint8_t *end = memchr(text.at, '\0', text.size);

    if (end)
        text.size = (size_t)(end - text.at);
    while (text.size > 0) {
        ssize_t put = write(descriptor, text.at, text.size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        text.at += put;
        text.size -= (size_t)put;
    }
    return true;
}

static int
spawn(struct ptx_job *job, char **arguments)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int failure = posix_spawn_file_actions_init(&actions);

    if (failure)
        return failure;
    if ((failure = posix_spawnattr_init(&attributes))) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    /* What we ignore is for the compiler to decide anew. */
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    sigaddset(&signals, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &signals);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, job->messages, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, job->messages, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, job->text, TEXT_DESCRIPTOR);
    posix_spawn_file_actions_adddup2(&actions, job->cubin, CUBIN_DESCRIPTOR);
    failure = posix_spawn(&job->process, arguments[0], &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static double
milliseconds_since(const struct timespec *start)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) * 1e3 +
           (double)(now.tv_nsec - start->tv_nsec) / 1e6;
}

static void
wait_for(struct ptx_compiler *compiler, struct ptx_job *job)
{
    if (!job->process)
        return;
    while (waitpid(job->process, &job->status, 0) < 0)
        if (errno != EINTR) {
            job->status = -1;
            break;
        }
    job->process = 0;
    job->milliseconds = milliseconds_since(&job->start);
    compiler->running--;
}

/* Keeps the machine busy, not overrun: the oldest job gives its place to the next. */
static void
make_room(struct ptx_compiler *compiler)
{
    for (uint32_t i = compiler->settled; compiler->running >= compiler->most_at_once; i++)
        wait_for(compiler, &compiler->jobs.at[i]);
}

void
ptx_start(struct ptx_compiler *compiler, const struct ptx_source *source, struct bytes *image)
{
    struct diag *diag = compiler->arena->diag;

    if (compiler->refusal)
        diag_fatal(diag, "%s", compiler->refusal);
    require_ptxas(compiler, source->name);
    make_room(compiler);
    char **arguments = build_arguments(compiler, source->options);
    array_push(&compiler->jobs, compiler->arena,
               ((struct ptx_job){.name = source->name,
                                 .is_file = source->is_file,
                                 .image = image,
                                 .text = -1,
                                 .cubin = -1,
                                 .messages = -1}));
    struct ptx_job *job = &compiler->jobs.at[compiler->jobs.count - 1];
    job->text = anonymous_file(diag, "ptx");
    job->cubin = anonymous_file(diag, "cubin");
    job->messages = anonymous_file(diag, "messages");
    clock_gettime(CLOCK_MONOTONIC, &job->start);
    int failure = write_text(job->text, source->text) ? spawn(job, arguments) : errno;
    if (failure) {
        job->process = 0;
        diag_fatal(diag, "Could not start '%s': %s", arguments[0], strerror(failure));
    }
    compiler->running++;
}

/* ---- Ending ---- */

static const char *
without(struct arena *arena, const char *text, const char *part)
{
    const char *at = strstr(text, part);

    if (!at)
        return text;
    return arena_format(arena, "%.*s%s", (int)(at - text), text, at + strlen(part));
}

/*
 * With -g ptxas records the names of its files. Those of a compilation inside a link mean nothing
 * and must not show in the output.
 */
static void
forget_file_names(struct arena *arena, const char *name, struct bytes cubin)
{
    struct elf_view view;
    struct tkinfo info;

    elf_open_frame(&view, name, cubin, arena);
    for (uint32_t i = 1; i < view.section_count; i++) {
        const Elf64_Shdr *section = &view.sections[i];
        struct bytes old = elf_contents(&view, i);

        if (!(section->sh_flags & SHF_CUDA_TKINFO) || !tkinfo_read(old, &info) ||
            strcmp(info.object, CUBIN_RECORD) != 0)
            continue;
        info.object = CUBIN_NAME;
        info.options =
            without(arena, without(arena, info.options, TEXT_RECORD " "), "-o " CUBIN_RECORD " ");
        struct bytes note = tkinfo_write(arena, &info);
        if (note.size > old.size)
            continue;
        /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): it was read, so it has bytes */
        memcpy((uint8_t *)old.at, note.at, note.size);
        memset((uint8_t *)old.at + note.size, 0, old.size - note.size);
        write_u64((uint8_t *)cubin.at + view.header.e_shoff + i * sizeof *section +
                      offsetof(Elf64_Shdr, sh_size),
                  note.size);
    }
}

static struct bytes
read_anonymous(struct arena *arena, int descriptor)
{
    struct stat status;
    size_t got = 0;

    if (fstat(descriptor, &status) != 0 || status.st_size <= 0)
        return (struct bytes){0};
    size_t size = (size_t)status.st_size;
    uint8_t *bytes = arena_alloc(arena, size);
    while (got < size) {
        ssize_t more = pread(descriptor, bytes + got, size - got, (off_t)got);
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            break;
        got += (size_t)more;
    }
    return (struct bytes){bytes, got};
}

static void
close_files(struct ptx_job *job)
{
    int *const files[] = {&job->text, &job->cubin, &job->messages};

    for (size_t i = 0; i < COUNT_OF(files); i++) {
        if (*files[i] >= 0)
            close(*files[i]);
        *files[i] = -1;
    }
}

/* Up to the end of the line that no indented one follows. */
static size_t
message_length(const char *text)
{
    size_t length = strcspn(text, "\n");

    while (text[length] && text[length + 1] == ' ')
        length += 1 + strcspn(text + length + 1, "\n");
    return length;
}

/* What ptxas said, message by message, with the name that users know the text by. */
static void
pass_on(struct ptx_compiler *compiler, struct bytes messages)
{
    struct text text = {.arena = compiler->arena};

    if (messages.size == 0)
        return;
    const char *said = arena_text(compiler->arena, (const char *)messages.at, messages.size);

    text_add(&text, "%s", "");
    for (const char *path; (path = strstr(said, TEXT_PATH)); said = path + strlen(TEXT_PATH))
        text_add(&text, "%.*s%s", (int)(path - said), said, TEXT_NAME);
    text_add(&text, "%s", said);
    for (const char *at = text.at; *at;) {
        size_t length = message_length(at);
        diag_text(compiler->arena->diag, "%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
}

/* A compiler that fails says why, as a rule. */
static void
explain_failure(const struct ptx_compiler *compiler, const struct ptx_job *job, bool said_nothing)
{
    struct diag *diag = compiler->arena->diag;

    if (job->status != 0 && WIFSIGNALED(job->status))
        diag_text(diag, "ptxas was ended by signal %d", WTERMSIG(job->status));
    else if (job->status != 0 && said_nothing)
        diag_text(diag, "ptxas ended with status %d and said nothing: '%s'",
                  WEXITSTATUS(job->status), compiler->ptxas);
    else if (said_nothing)
        diag_text(diag, "ptxas wrote no code and said nothing: '%s'", compiler->ptxas);
}

static void
settle_job(struct ptx_compiler *compiler, struct ptx_job *job)
{
    wait_for(compiler, job);
    struct bytes messages = read_anonymous(compiler->arena, job->messages);
    struct bytes cubin = read_anonymous(compiler->arena, job->cubin);
    close_files(job);
    pass_on(compiler, messages);
    if (job->status != 0 || cubin.size == 0) {
        explain_failure(compiler, job, messages.size == 0);
        diag_fatal(compiler->arena->diag, "elfLink fatbinary error");
    }
    if (compiler->on_timing)
        compiler->on_timing(compiler->user, job->name, job->is_file, job->milliseconds);
    forget_file_names(compiler->arena, job->name, cubin);
    struct image_kinds kinds = {0};
    if (check_packed_cubin(compiler->arena, compiler->arch, job->name, (struct bytes){0}, &cubin,
                           &kinds))
        *job->image = cubin;
}

void
ptx_settle(struct ptx_compiler *compiler)
{
    if (compiler->is_settling) /* what is said meanwhile asks for it again */
        return;
    compiler->is_settling = true;
    while (compiler->settled < compiler->jobs.count)
        settle_job(compiler, &compiler->jobs.at[compiler->settled++]);
    compiler->is_settling = false;
}

void
ptx_release(struct ptx_compiler *compiler)
{
    for (uint32_t i = 0; i < compiler->jobs.count; i++) {
        struct ptx_job *job = &compiler->jobs.at[i];

        if (job->process)
            kill(job->process, SIGTERM);
        wait_for(compiler, job);
        close_files(job);
    }
}
