#include "mercury/leaf_jobs.h"

#include "base/parallel.h"

/* The result in memory of the arena. */
static void
keep_result(struct leaf_job *job, struct arena *arena)
{
    struct leaf_result *result = &job->result;
    size_t removed = result->removed_count * sizeof *result->removed;
    bool is_new = result->text.at != job->leaf.text.at && !result->is_kept;

    if (is_new)
        result->text.at =
            memcpy(arena_alloc(arena, result->text.size), result->text.at, result->text.size);
    if (removed)
        result->removed = memcpy(arena_alloc(arena, removed), result->removed, removed);
}

/* All that it takes is released but the result. */
static void
rewrite(struct leaf_job *job, struct arena *arena, struct arena *scratch)
{
    struct arena_mark mark = arena_mark(scratch);

    job->leaf.keep = arena;
    job->result = job->may_be_leaf ? leaf_rewrite(&job->leaf, scratch)
                  : job->is_part   ? part_rewrite(&job->leaf, scratch)
                                   : code_rewrite(&job->leaf, scratch);
    keep_result(job, arena);
    arena_release(scratch, mark);
    job->is_done = true;
}

struct workshop {
    struct leaf_job *jobs;
    const struct crew *crew;
};

static void
rewrite_one(void *user, struct worker_memory *memory)
{
    rewrite(user, memory->kept, &memory->scratch);
}

static void
rewrite_in_turn(void *user, uint32_t index, unsigned worker)
{
    const struct workshop *workshop = user;
    crew_try(workshop->crew, worker, rewrite_one, &workshop->jobs[index]);
}

void
run_leaf_jobs(struct leaf_job *jobs, uint32_t count, unsigned threads, struct crew *crew,
              struct arena *scratch)
{
    struct workshop workshop = {jobs, crew};
    struct parallel_loop loop = {
        .name = "leaf kernels", .count = count, .make = rewrite_in_turn, .user = &workshop};

    if (threads > 1 && count > 1) {
        crew_prepare(crew);
        parallel_run(&loop, threads, crew->trace);
    }
    for (uint32_t i = 0; i < count; i++)
        if (!jobs[i].is_done)
            rewrite(&jobs[i], crew->arena, scratch);
}
