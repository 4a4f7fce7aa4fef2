#define _GNU_SOURCE /* sched_getaffinity */

#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MOST_THREADS = 64 };

struct work {
    const struct parallel_loop *loop;
    const struct trace *trace;
    _Atomic uint32_t next;
    pthread_mutex_t turn; /* to deliver */
};

struct worker {
    struct work *work;
    unsigned number;
    pthread_t thread;
    struct trace_span span;
};

static void
deliver(struct work *work, uint32_t index, unsigned worker)
{
    if (!work->loop->deliver)
        return;
    pthread_mutex_lock(&work->turn);
    work->loop->deliver(work->loop->user, index, worker);
    pthread_mutex_unlock(&work->turn);
}

static void *
run_worker(void *argument)
{
    struct worker *worker = argument;
    struct work *work = worker->work;
    const struct parallel_loop *loop = work->loop;

    worker->span = trace_span_begin(work->trace);
    for (;;) {
        uint32_t index = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
        if (index >= loop->count)
            break;
        loop->make(loop->user, index, worker->number);
        deliver(work, index, worker->number);
    }
    trace_span_end(work->trace, &worker->span);
    return NULL;
}

/* Where a thread cannot be had the others do its share. */
void
parallel_run(const struct parallel_loop *loop, unsigned threads, struct trace *trace)
{
    struct work work = {.loop = loop, .trace = trace, .turn = PTHREAD_MUTEX_INITIALIZER};
    struct worker workers[MOST_THREADS] = {{.work = &work}};
    unsigned wanted = threads < loop->count ? threads : loop->count, started = 1;

    for (; started < wanted && started < MOST_THREADS; started++) {
        workers[started] = (struct worker){.work = &work, .number = started};
        if (pthread_create(&workers[started].thread, NULL, run_worker, &workers[started]) != 0)
            break;
    }
    run_worker(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < started; i++)
        trace_add_span(trace, loop->name, i, workers[i].span);
}

unsigned
parallel_processors(void)
{
    cpu_set_t processors;

    if (sched_getaffinity(0, sizeof processors, &processors) != 0)
        return 1;
    int count = CPU_COUNT(&processors);
    return count < 1 ? 1 : count > MOST_THREADS ? MOST_THREADS : (unsigned)count;
}
