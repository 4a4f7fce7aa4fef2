#include "base/crew.h"

#include "base/diag.h"
#include "base/parallel.h"

void
crew_prepare(struct crew *crew)
{
    if (crew->list)
        return;
    crew->list = arena_array(crew->arena, MOST_THREADS, sizeof *crew->list);
    for (unsigned i = 0; i < MOST_THREADS; i++) {
        struct worker_memory *memory = &crew->list[i];
        memory->kept = i ? &memory->own : crew->arena;
        arena_init_scratch(&memory->scratch, memory->kept);
    }
}

bool
crew_try(const struct crew *crew, unsigned worker,
         void (*function)(void *user, struct worker_memory *memory), void *user)
{
    struct worker_memory *memory = &crew->list[worker];
    struct arena_mark before = arena_mark(&memory->scratch);
    struct diag silent = diag_silent(), *aloud = memory->kept->diag;
    bool has_ended = false;

    memory->kept->diag = memory->scratch.diag = &silent;
    if (!setjmp(silent.unwind))
        function(user, memory);
    else
        has_ended = true;
    memory->kept->diag = memory->scratch.diag = aloud;
    arena_release(&memory->scratch, before);
    return !has_ended;
}

void
crew_release(struct crew *crew)
{
    for (unsigned i = 0; crew->list && i < MOST_THREADS; i++)
        arena_free_all(&crew->list[i].own);
    crew->list = NULL;
}
