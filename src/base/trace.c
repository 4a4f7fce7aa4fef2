#include "base/trace.h"

#include <sys/resource.h>
#include <time.h>

static double
now(const struct trace *trace)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9 - trace->origin;
}

static long
most_kilobytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

void
trace_begin(struct trace *trace, struct arena *arena)
{
    *trace = (struct trace){.arena = arena};
    trace->origin = now(trace);
}

static void
end_phase(struct trace *trace)
{
    struct trace_event *event = &trace->events.at[trace->phase - 1];

    event->span.end = now(trace);
    event->kilobytes = most_kilobytes();
    trace->phase = 0;
}

void
trace_phase(struct trace *trace, const char *name)
{
    if (!trace->arena)
        return;
    if (trace->phase)
        end_phase(trace);
    if (!name)
        return;
    array_push(
        &trace->events, trace->arena,
        ((struct trace_event){.name = name, .is_phase = true, .span = {.start = now(trace)}}));
    trace->phase = trace->events.count;
}

struct trace_span
trace_span_begin(const struct trace *trace)
{
    return (struct trace_span){.start = trace->arena ? now(trace) : 0};
}

void
trace_span_end(const struct trace *trace, struct trace_span *span)
{
    if (trace->arena)
        span->end = now(trace);
}

void
trace_add_span(struct trace *trace, const char *name, unsigned worker, struct trace_span span)
{
    if (!trace->arena)
        return;
    struct trace_event event = {
        .name = name, .worker = worker, .span = span, .kilobytes = most_kilobytes()};
    array_push(&trace->events, trace->arena, event);
}
