#include "finalize/finalize.h"
#include "mercury/mercury.h"

#include "cubin/nvinfo.h"

void
set_contents(struct elfw *elfw, uint32_t index, uint8_t *bytes, uint64_t size)
{
    struct section *section = elfw_section(elfw, index);

    section->contents = bytes;
    section->size = size;
}

uint32_t
kernel_stack(const struct call_graph *graph, const struct reach_summary *summary, uint32_t kernel)
{
    const struct reached *reached = reached_by(summary, graph, kernel);
    return reached->is_recursive ? STACK_UNKNOWN : (uint32_t)reached->stack;
}

void
finalize(struct elfw *elfw, const struct call_graph *graph, const struct reach_summary *summary,
         struct crew *crew)
{
    if (elfw->view->is_mercury)
        mercury_reserve_shared(elfw);
    make_notes(elfw);
    /* From here on every symbol of the output has its number. */
    number_symbols(elfw);
    make_infos(elfw, graph, summary, crew);
    /* From here on every section of the output has its number; only offsets are open. */
    number_sections(elfw);
    make_strings(elfw);
    make_callgraph(elfw);
    make_unified_entries(elfw);
    make_symbol_table(elfw);
    if (elfw->view->is_mercury)
        mercury_fill_reserved(elfw);
    place_sections(elfw);
    make_segments(elfw);
}
