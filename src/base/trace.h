/*
 * trace.h: when the phases of a link, and the shares of threads in its large loops, began and ended.
 *
 * Costs nothing unless it is on.
 */
#ifndef CULD_BASE_TRACE_H
#define CULD_BASE_TRACE_H

#include "base/array.h"

/* Seconds since the trace was begun. */
struct trace_span {
    double start, end;
};

struct trace_event {
    const char *name;
    bool is_phase;
    unsigned worker; /* of a loop; 0 is the thread that runs the phases */
    struct trace_span span;
    long kilobytes; /* the most memory the process had had at the end */
};

struct trace {
    struct arena *arena; /* NULL: off */
    double origin;
    ARRAY(struct trace_event) events;
    uint32_t phase; /* the number of the running one, from 1; 0: none */
};

void trace_begin(struct trace *trace, struct arena *arena);

/* One phase ends, the next one begins; NULL: none does. */
void trace_phase(struct trace *trace, const char *name);

/* What a worker did: it measures by itself, the thread of the phases adds it. */
struct trace_span trace_span_begin(const struct trace *trace);
void trace_span_end(const struct trace *trace, struct trace_span *span);
void trace_add_span(struct trace *trace, const char *name, unsigned worker, struct trace_span span);

#endif
