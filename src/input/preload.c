#include "input/preload.h"

#include "base/parallel.h"

#include <sys/resource.h>

static void
read_one(struct preload *preload, uint32_t number, struct arena *arena)
{
    if (!file_read_into(arena, preload->paths[number], &preload->files[number]))
        preload->files[number] = (struct input_file){0};
}

static long
times_waited(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nvcsw : 0;
}

/*
 * Files that are in memory are mapped under a lock of the process: there several threads would only wait
 * for each other. Returns the number of the first that was not read, since others had to be waited for.
 */
static uint32_t
read_what_is_there(struct preload *preload, bool stops)
{
    enum { AT_ONCE = 16, TOO_OFTEN = 4 };
    uint32_t next = 0;
    long before = times_waited();

    while (next < preload->count) {
        read_one(preload, next++, preload->crew->arena);
        if (stops && next % AT_ONCE == 0 && times_waited() - before >= TOO_OFTEN)
            break;
    }
    return next;
}

static void
read_in_turn(void *user, uint32_t index, unsigned worker)
{
    struct preload *preload = user;
    read_one(preload, preload->first + index, crew_arena(preload->crew, worker));
}

void
preload_files(struct preload *preload, unsigned threads)
{
    struct parallel_loop loop = {.name = "input files", .make = read_in_turn, .user = preload};

    preload->files = arena_array(preload->crew->arena, preload->count, sizeof *preload->files);
    preload->first = read_what_is_there(preload, threads > 1);
    if (preload->first == preload->count)
        return;
    crew_prepare(preload->crew);
    loop.count = preload->count - preload->first;
    parallel_run(&loop, threads, preload->crew->trace);
}

bool
preload_take(struct preload *preload, uint32_t number, struct input_file *out)
{
    if (!preload->files || !preload->files[number].bytes.at)
        return false;
    *out = preload->files[number];
    preload->files[number] = (struct input_file){0};
    return true;
}

const char *
preload_path_of(const struct preload *preload, const void *address)
{
    for (uint32_t i = 0; preload->files && i < preload->count; i++) {
        struct bytes bytes = preload->files[i].bytes;
        if ((uintptr_t)address - (uintptr_t)bytes.at < bytes.size)
            return preload->paths[i];
    }
    return NULL;
}

void
preload_release(struct preload *preload)
{
    for (uint32_t i = 0; preload->files && i < preload->count; i++)
        file_release(&preload->files[i]);
}
