#include "input/preload.h"

#include "base/parallel.h"

static void
read_one(void *user, uint32_t index, unsigned worker)
{
    struct preload *preload = user;

    if (!file_read_into(&preload->arenas[worker], preload->paths[index], &preload->files[index]))
        preload->files[index] = (struct input_file){0};
}

void
preload_files(struct preload *preload, unsigned threads, struct arena *arena, struct trace *trace)
{
    unsigned workers = threads < preload->count ? threads : preload->count;
    struct parallel_loop loop = {
        .name = "input files", .count = preload->count, .make = read_one, .user = preload};

    preload->files = arena_array(arena, preload->count, sizeof *preload->files);
    preload->arenas = arena_array(arena, workers, sizeof *preload->arenas);
    preload->workers = workers;
    for (unsigned i = 0; i < workers; i++)
        arena_init(&preload->arenas[i], arena->diag);
    parallel_run(&loop, workers, trace);
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

void
preload_release(struct preload *preload)
{
    for (uint32_t i = 0; preload->files && i < preload->count; i++)
        file_release(&preload->files[i]);
    for (unsigned i = 0; i < preload->workers; i++)
        arena_free_all(&preload->arenas[i]);
}
