#include "mercury/leaf_jobs.h"

#include "base/diag.h"
#include "base/parallel.h"

/* Workers cannot use the arena of the link: they work in arenas of their own. */
struct worker_memory {
    struct arena results, scratch;
};

struct workshop {
    struct leaf_job *jobs;
    struct worker_memory *memories; /* by worker */
    unsigned workers;
};

/* The result in memory of the arena; false where there is none. */
static bool
keep_result(struct leaf_job *job, struct arena *arena)
{
    struct leaf_result *result = &job->result;
    size_t removed = result->removed_count * sizeof *result->removed;
    bool is_new = result->text.at != job->leaf.text.at && !result->is_kept;
    uint8_t *text = is_new ? arena_try_alloc(arena, result->text.size) : NULL;
    uint32_t *list = removed ? arena_try_alloc(arena, removed) : NULL;

    if ((is_new && !text) || (removed && !list))
        return false;
    if (is_new)
        result->text.at = memcpy(text, result->text.at, result->text.size);
    if (removed)
        result->removed = memcpy(list, result->removed, removed);
    return true;
}

/* All that it takes is released but the result. */
static bool
rewrite(struct leaf_job *job, struct arena *arena, struct arena *scratch)
{
    struct arena_mark mark = arena_mark(scratch);

    job->leaf.keep = arena;
    job->result =
        job->may_be_leaf ? leaf_rewrite(&job->leaf, scratch) : code_rewrite(&job->leaf, scratch);
    bool is_kept = keep_result(job, arena);
    arena_release(scratch, mark);
    return is_kept;
}

/* A worker cannot end the link: it notes that it had no memory. */
static void
rewrite_one(void *user, uint32_t index, unsigned worker)
{
    struct workshop *workshop = user;
    struct leaf_job *job = &workshop->jobs[index];
    struct worker_memory *memory = &workshop->memories[worker];
    struct diag silent = diag_silent();

    memory->results.diag = memory->scratch.diag = &silent;
    if (setjmp(silent.unwind))
        job->ran_out = true;
    else
        job->ran_out = !rewrite(job, &memory->results, &memory->scratch);
}

static void
run_workers(struct workshop *workshop, uint32_t count, struct arena *arena, struct trace *trace)
{
    struct parallel_loop loop = {
        .name = "leaf kernels", .count = count, .make = rewrite_one, .user = workshop};
    bool is_kept = true;

    for (unsigned i = 0; i < workshop->workers; i++) {
        arena_init(&workshop->memories[i].results, NULL);
        arena_init_scratch(&workshop->memories[i].scratch, &workshop->memories[i].results);
    }
    parallel_run(&loop, workshop->workers, trace);
    for (uint32_t i = 0; i < count && is_kept; i++) {
        workshop->jobs[i].result.is_kept = false; /* not by the link */
        is_kept = !workshop->jobs[i].ran_out && keep_result(&workshop->jobs[i], arena);
    }
    for (unsigned i = 0; i < workshop->workers; i++)
        arena_free_all(&workshop->memories[i].results);
    if (!is_kept)
        diag_fatal(arena->diag, "Out of memory");
}

void
run_leaf_jobs(struct leaf_job *jobs, uint32_t count, unsigned threads, struct arena *arena,
              struct arena *scratch, struct trace *trace)
{
    struct workshop workshop = {.jobs = jobs, .workers = threads < count ? threads : count};

    if (workshop.workers > 1) {
        workshop.memories = arena_array(arena, workshop.workers, sizeof *workshop.memories);
        run_workers(&workshop, count, arena, trace);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!rewrite(&jobs[i], arena, scratch))
            diag_fatal(arena->diag, "Out of memory");
}
