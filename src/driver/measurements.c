#include "driver/measurements.h"

#include "base/file.h"
#include "base/text.h"

void
measurements_begin(culd_link *link)
{
    const char *path = link->options.time_trace;

    if (!path && !link->options.stats)
        return;
    trace_begin(&link->trace, &link->arena);
    if (!path)
        return;
    if (!file_is_writable(path))
        diag_fatal(&link->diag, "Cannot open file '%s'", path);
}

/* ---- --stats ---- */

static uint64_t
input_bytes(const struct inputs *inputs)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < inputs->files.count; i++)
        bytes += inputs->files.at[i].bytes.size;
    return bytes;
}

static void
add_count(struct text *text, const char *what, uint64_t count)
{
    text_add(text, "%-20s %12llu\n", what, (unsigned long long)count);
}

/* Kernels without calls: changed as nvlink would, or left as they came, for some reason or because
   nothing is to be changed. */
static void
add_leaf_kernels(struct text *text, const struct leaf_counts *kernels)
{
    add_count(text, "leaf kernels", kernels->all);
    add_count(text, "... rewritten", kernels->rewritten);
    add_count(text, "... only copied", kernels->copied.count);
    add_count(text, "... the same", kernels->all - kernels->rewritten - kernels->copied.count);
}

/* Names of sections and symbols stand in the order in which they are met: the first is no name. */
static void
add_counts(struct text *text, const culd_link *link)
{
    const struct elfw *elfw = link->elfw;

    add_count(text, "files", link->inputs.files.count);
    add_count(text, "bytes read", input_bytes(&link->inputs));
    if (!elfw)
        return;
    add_count(text, "objects", elfw->objects.count - 1);
    add_count(text, "functions", elfw->functions.count - 1);
    add_count(text, "sections", elfw->sections.count - 1);
    add_count(text, "symbols", elfw->pos_symbols.count + elfw->neg_symbols.count - 2);
    add_count(text, "names", elfw->names.names.count - 1);
    add_count(text, "pieces", elfw->pieces.count - 1);
    add_count(text, "relocation tables", elfw->reloc_pieces.count - 1);
    add_count(text, "calls", elfw->edges.count - 1);
    add_count(text, "sections written", elfw->output_section_count);
    add_count(text, "bytes written", link->output_size);
    if (elfw->view->is_mercury)
        add_leaf_kernels(text, &elfw->leaf_kernels);
}

/* Seconds; none for what has not ended. */
static double
duration(const struct trace_event *event)
{
    return event->span.end ? event->span.end - event->span.start : 0;
}

static const char *
statistics(culd_link *link)
{
    struct text text = {.arena = &link->arena};
    double total = 0;

    text_add(&text, "%-20s %12s %12s\n", "phase", "ms", "peak MB");
    for (uint32_t i = 0; i < link->trace.events.count; i++) {
        const struct trace_event *event = &link->trace.events.at[i];

        if (!event->is_phase || event->span.end == 0)
            continue;
        total += duration(event);
        text_add(&text, "%-20s %12.3f %12.1f\n", event->name, duration(event) * 1e3,
                 (double)event->kilobytes / 1024);
    }
    text_add(&text, "%-20s %12.3f\n\n", "all", total * 1e3);
    add_counts(&text, link);
    return text.at;
}

/* ---- --time-trace ---- */

/* As chrome://tracing and Perfetto read it: complete events, times in microseconds. */
static struct bytes
trace_file(culd_link *link)
{
    struct text text = {.arena = &link->arena};

    text_add(&text, "{\"traceEvents\":[\n");
    for (uint32_t i = 0; i < link->trace.events.count; i++) {
        const struct trace_event *event = &link->trace.events.at[i];

        text_add(&text,
                 "{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"cat\":\"%s\",\"name\":\"%s\",\"ts\":%.3f,"
                 "\"dur\":%.3f,\"args\":{\"peak MB\":%.1f}},\n",
                 event->worker + 1, event->is_phase ? "phase" : "loop", event->name,
                 event->span.start * 1e6, duration(event) * 1e6, (double)event->kilobytes / 1024);
    }
    text_add(&text,
             "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"culd\"}}\n"
             "],\"displayTimeUnit\":\"ms\"}\n");
    return text_bytes(&text);
}

/* The trace is the last of the files, so that it can tell of the others. */
void
measurements_update(culd_link *link)
{
    if (!link->trace.arena)
        return;
    if (link->options.stats)
        link->text = statistics(link);
    if (!link->options.time_trace)
        return;
    struct bytes bytes = trace_file(link);
    if (!link->trace_file) {
        link_add_file(link, link->options.time_trace, bytes);
        link->trace_file = link->files.count;
    }
    struct culd_file *file = &link->files.at[link->trace_file - 1];
    file->bytes = bytes.at;
    file->size = bytes.size;
}
