#define _GNU_SOURCE /* sched_getaffinity */

#include "base/parallel.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Threads ---- */

struct worker {
    void *work;
    void (*part)(struct worker *worker); /* of the work */
    unsigned number;
    pthread_t thread;
    const struct trace *trace;
    struct trace_span span;
};

typedef void (*worker_part)(struct worker *worker);

static void *
run_worker(void *argument)
{
    struct worker *worker = argument;

    worker->span = trace_span_begin(worker->trace);
    worker->part(worker);
    trace_span_end(worker->trace, &worker->span);
    return NULL;
}

/* Where a thread cannot be had the others do its share. */
static void
run_workers(struct worker caller, worker_part part_of_others, unsigned wanted, const char *name,
            struct trace *trace)
{
    struct worker workers[MOST_THREADS];
    unsigned started = 1;

    caller.trace = trace;
    workers[0] = caller;
    for (; started < wanted && started < MOST_THREADS; started++) {
        struct worker *worker = &workers[started];
        *worker = caller;
        worker->part = part_of_others;
        worker->number = started;
        if (pthread_create(&worker->thread, NULL, run_worker, worker) != 0)
            break;
    }
    run_worker(&workers[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (unsigned i = 0; i < started; i++)
        trace_add_span(trace, name, i, workers[i].span);
}

/* ---- Loops ---- */

struct work {
    const struct parallel_loop *loop;
    _Atomic uint32_t next;
    pthread_mutex_t turn; /* to deliver */
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

static void
run_part_of_loop(struct worker *worker)
{
    struct work *work = worker->work;
    const struct parallel_loop *loop = work->loop;

    for (;;) {
        uint32_t index = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
        if (index >= loop->count)
            break;
        loop->make(loop->user, index, worker->number);
        deliver(work, index, worker->number);
    }
}

void
parallel_run(const struct parallel_loop *loop, unsigned threads, struct trace *trace)
{
    struct work work = {.loop = loop, .turn = PTHREAD_MUTEX_INITIALIZER};
    unsigned wanted = threads < loop->count ? threads : loop->count;

    run_workers((struct worker){.work = &work, .part = run_part_of_loop}, run_part_of_loop, wanted,
                loop->name, trace);
}

/* ---- Lines ---- */

struct line_work {
    const struct parallel_line *line;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t is_made, has_room;
    uint32_t next;    /* to be made */
    uint32_t taken;   /* so many are */
    unsigned waiting; /* for room: so many workers */
    bool is_caller_waiting;
    bool has_ended;
    bool made[MOST_PLACES];
};

static bool
can_make(const struct line_work *work)
{
    return work->next < work->line->count && work->next - work->taken < work->line->places;
}

/* The lock is held before and after. */
static void
make_next(struct line_work *work, unsigned worker)
{
    uint32_t index = work->next++;

    pthread_mutex_unlock(&work->lock);
    work->line->make(work->line->user, index, worker);
    pthread_mutex_lock(&work->lock);
    work->made[index % work->line->places] = true;
    if (work->is_caller_waiting)
        pthread_cond_signal(&work->is_made);
}

/* Those who wait for room are woken where there is enough to make it worth it. */
static void
take_next(struct line_work *work)
{
    uint32_t index = work->taken, places = work->line->places;

    pthread_mutex_unlock(&work->lock);
    bool goes_on = work->line->take(work->line->user, index);
    pthread_mutex_lock(&work->lock);
    work->made[index % places] = false;
    work->taken++;
    work->has_ended = !goes_on || work->taken == work->line->count;
    if (work->waiting && (work->has_ended || work->next - work->taken <= places / 2))
        pthread_cond_broadcast(&work->has_room);
}

static void
run_caller_of_line(struct worker *worker)
{
    struct line_work *work = worker->work;

    pthread_mutex_lock(&work->lock);
    while (!work->has_ended) {
        if (work->made[work->taken % work->line->places]) {
            take_next(work);
        } else if (can_make(work)) {
            make_next(work, worker->number);
        } else {
            work->is_caller_waiting = true;
            pthread_cond_wait(&work->is_made, &work->lock);
            work->is_caller_waiting = false;
        }
    }
    pthread_mutex_unlock(&work->lock);
}

static void
run_part_of_line(struct worker *worker)
{
    struct line_work *work = worker->work;

    pthread_mutex_lock(&work->lock);
    while (!work->has_ended && work->next < work->line->count) {
        if (can_make(work)) {
            make_next(work, worker->number);
        } else {
            work->waiting++;
            pthread_cond_wait(&work->has_room, &work->lock);
            work->waiting--;
        }
    }
    pthread_mutex_unlock(&work->lock);
}

void
parallel_run_line(const struct parallel_line *line, unsigned threads, struct trace *trace)
{
    struct line_work work = {
        .line = line,
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .is_made = PTHREAD_COND_INITIALIZER,
        .has_room = PTHREAD_COND_INITIALIZER,
        .has_ended = !line->count,
    };
    unsigned wanted = threads < line->count ? threads : line->count;

    run_workers((struct worker){.work = &work, .part = run_caller_of_line}, run_part_of_line,
                wanted, line->name, trace);
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

/* How many threads run or wait for a processor, ours included: a number behind three averages.
   0: unknown. */
static unsigned
running_threads(void)
{
    enum { AVERAGES = 3 };
    char line[128];
    int descriptor = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor < 0 ? 0 : read(descriptor, line, sizeof line - 1);
    const char *at = line;

    if (descriptor >= 0)
        close(descriptor);
    line[length < 0 ? 0 : length] = '\0';
    for (int i = 0; at && i < AVERAGES; i++)
        at = strchr(at + (i > 0), ' ');
    return at ? (unsigned)strtoul(at, NULL, 10) : 0;
}

unsigned
parallel_free_processors(void)
{
    unsigned ours = parallel_processors(), running = running_threads();
    long all = sysconf(_SC_NPROCESSORS_ONLN);

    if (ours == 1 || running <= 1 || all < (long)ours)
        return ours;
    /* What others do is spread over all processors of the machine. */
    long busy = running - 1 < all ? running - 1 : all;
    long available = ours * (all - busy) / all;
    return available > 0 ? (unsigned)available : 1;
}
