#include "input/preload.h"

#include "base/parallel.h"

/* Where there is no memory it says so by itself. */
static void
read_one(void *user, uint32_t index, unsigned worker)
{
    struct preload *preload = user;
    struct arena *arena = crew_arena(preload->crew, worker);

    if (!file_read_into(arena, preload->paths[index], &preload->files[index]))
        preload->files[index] = (struct input_file){0};
}

void
preload_files(struct preload *preload, unsigned threads)
{
    struct parallel_loop loop = {
        .name = "input files", .count = preload->count, .make = read_one, .user = preload};

    if (threads > 1)
        crew_prepare(preload->crew);
    preload->files = arena_array(preload->crew->arena, preload->count, sizeof *preload->files);
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
