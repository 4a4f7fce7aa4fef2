#include "base/parallel.h"
#include "finalize/finalize.h"

#include <stdatomic.h>

/* So many functions are worth a turn of a worker. */
enum { FUNCTIONS_OF_A_TURN = 256 };

struct work {
    struct elfw *elfw;
    const struct call_graph *graph;
    const struct reach_summary *summary;
    struct crew *crew;
    struct function_infos *of_worker[MOST_THREADS]; /* NULL: it has none yet */
    _Atomic bool has_failed;
};

/* All of .nv.info is the first turn; those behind it are of functions. */
struct turn {
    const struct work *work;
    uint32_t number;
    struct function_infos **infos;
};

static void
make_turn(void *user, struct worker_memory *memory)
{
    const struct turn *turn = user;
    const struct work *work = turn->work;
    struct elfw elfw = elfw_of_worker(work->elfw, memory);
    uint32_t to = turn->number * FUNCTIONS_OF_A_TURN, from = to - FUNCTIONS_OF_A_TURN;
    uint32_t end = elfw.functions.count;

    if (!turn->number) {
        make_global_info(&elfw, work->graph, work->summary);
        return;
    }
    if (!*turn->infos)
        *turn->infos = open_function_infos(&elfw, work->graph, work->summary, memory->kept);
    make_function_infos(*turn->infos, &elfw, from ? from : 1, to < end ? to : end);
    memory->scratch = elfw.scratch; /* with the room that it has got */
}

static void
make_in_turn(void *user, uint32_t number, unsigned worker)
{
    struct work *work = user;
    struct turn turn = {work, number, &work->of_worker[worker]};

    if (!crew_try(work->crew, worker, make_turn, &turn))
        atomic_store(&work->has_failed, true);
}

static bool
make_by_threads(struct work *work)
{
    uint32_t functions = work->elfw->functions.count;
    struct parallel_loop loop = {
        .name = "info records",
        .count = 1 + (functions + FUNCTIONS_OF_A_TURN - 1) / FUNCTIONS_OF_A_TURN,
        .make = make_in_turn,
        .user = work,
    };

    if (work->crew->threads <= 1 || loop.count < FEWEST_TURNS)
        return false;
    crew_prepare(work->crew);
    parallel_run(&loop, work->crew->threads, work->crew->trace);
    return !work->has_failed;
}

void
make_infos(struct elfw *elfw, const struct call_graph *graph, const struct reach_summary *summary,
           struct crew *crew)
{
    struct work work = {.elfw = elfw, .graph = graph, .summary = summary, .crew = crew};
    struct arena_mark before = arena_mark(&elfw->scratch);

    /* In mercury links what SASS says is found by a walk that all functions share. */
    if (!elfw->view->is_mercury && make_by_threads(&work))
        return;
    make_global_info(elfw, graph, summary);
    make_function_infos(open_function_infos(elfw, graph, summary, &elfw->scratch), elfw, 1,
                        elfw->functions.count);
    arena_release(&elfw->scratch, before);
}
