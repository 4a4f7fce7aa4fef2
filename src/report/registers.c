#include "cubin/nvinfo.h"

#include "report/demangle.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>

/* The limit a kernel was compiled with, 0: none. */
static uint32_t
register_limit(const struct function *function)
{
    struct bytes records = function->records;
    struct info_record record;
    size_t offset = 0;
    uint32_t limit = 0;

    while (info_next(records, &offset, &record))
        if (record.attribute == EIATTR_MAXREG_COUNT)
            limit = record.value;
    return limit;
}

/* Usually no kernel breaks its limit and nobody asks: then nothing below is needed. */
static bool
is_needed(struct elfw *elfw, const struct call_graph *graph, const struct reach_summary *summary)
{
    if (elfw_flag(elfw, MERGE_DUMP_CALLGRAPH))
        return true;
    for (uint32_t k = 0; k < graph->kernel_count; k++) {
        const struct function *kernel = elfw_function(elfw, graph->kernels[k]);
        uint32_t limit = register_limit(kernel);
        uint32_t final = reached_by(summary, graph, graph->kernels[k])->registers;

        if (limit && final > limit && final > kernel->registers)
            return true;
    }
    return false;
}

static void
tell(struct elfw *elfw, uint32_t registers, const char *function, const char *kernel)
{
    struct demangle_buffer a = {0}, b = {0};

    elfw->diag->sink(elfw->diag->user, SEVERITY_TEXT,
                     arena_format(elfw->arena, "regcount %u for %s propagated to entry %s",
                                  registers, demangle_or_same(function, &a),
                                  demangle_or_same(kernel, &b)));
    demangle_free(&a);
    demangle_free(&b);
}

static void
raise_kernel(struct elfw *elfw, uint32_t function, uint32_t kernel, uint32_t *current)
{
    uint32_t registers = elfw_function(elfw, function)->registers;
    uint32_t limit = register_limit(elfw_function(elfw, kernel));

    if (registers <= *current)
        return;
    if (limit && registers > limit)
        diag_error(elfw->diag,
                   "entry function '%s' with max regcount of %u calls function '%s' with regcount "
                   "of %u",
                   elfw_function_name(elfw, kernel), limit, elfw_function_name(elfw, function),
                   registers);
    *current = registers;
    if (elfw_flag(elfw, MERGE_DUMP_CALLGRAPH))
        tell(elfw, registers, elfw_function_name(elfw, function), elfw_function_name(elfw, kernel));
}

/* Device functions in the order in which they were defined. System calls that count as kernels are
   among them. */
static uint32_t
collect_functions(struct elfw *elfw, uint32_t *functions)
{
    uint32_t count = 0;

    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        uint32_t function = elfw_text_owner(elfw, i);
        if (function && !elfw_function(elfw, function)->is_dead &&
            (!elfw_function_is_entry(elfw, function) ||
             elfw_function(elfw, function)->is_system_call))
            functions[count++] = function;
    }
    return count;
}

void
report_registers(struct elfw *elfw, const struct call_graph *graph,
                 const struct reach_summary *summary)
{
    uint32_t *functions, *current;

    if (!is_needed(elfw, graph, summary))
        return;
    functions = arena_array(elfw->arena, graph->function_count, sizeof *functions);
    current = arena_array(elfw->arena, graph->function_count, sizeof *current);
    for (uint32_t f = 1; f < graph->function_count; f++)
        current[f] = elfw_function(elfw, f)->registers;
    uint32_t count = collect_functions(elfw, functions);
    struct kernel_lists lists = call_graph_kernels_reaching(elfw, graph, functions, count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = lists.start[i + 1]; k-- > lists.start[i];)
            if (elfw_function_is_entry(elfw, lists.kernels[k]))
                raise_kernel(elfw, functions[i], lists.kernels[k], &current[lists.kernels[k]]);
}
