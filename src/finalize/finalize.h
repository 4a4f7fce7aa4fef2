/*
 * finalize.h: the finalize phase. Computes what the linker itself writes, numbers symbols and
 * sections and gives every section its place in the file.
 */
#ifndef CULD_FINALIZE_FINALIZE_H
#define CULD_FINALIZE_FINALIZE_H

#include "base/crew.h"
#include "finalize/reached.h"

/* What a finished program must respect; each reports all that breaks it. */
void check_stacks(struct elfw *elfw, const struct call_graph *graph);
void check_cta_groups(struct elfw *elfw, const struct call_graph *graph,
                      const struct reach_summary *summary);
void check_reserved_shared(struct elfw *elfw, const struct call_graph *graph);
void check_taken_functions(struct elfw *elfw);
void check_limits(struct elfw *elfw);
void check_undefined(struct elfw *elfw);

void finalize(struct elfw *elfw, const struct call_graph *graph,
              const struct reach_summary *summary, struct crew *crew);

/* The stack of a kernel, STACK_UNKNOWN if it may recurse. */
uint32_t kernel_stack(const struct call_graph *graph, const struct reach_summary *summary,
                      uint32_t kernel);

/* Parts, in order. */
void number_symbols(struct elfw *elfw);
void make_infos(struct elfw *elfw, const struct call_graph *graph,
                const struct reach_summary *summary, struct crew *crew);
void make_callgraph(struct elfw *elfw);
void make_unified_entries(struct elfw *elfw);
void make_notes(struct elfw *elfw);
void make_strings(struct elfw *elfw);
void number_sections(struct elfw *elfw);
void make_symbol_table(struct elfw *elfw);
void place_sections(struct elfw *elfw);
void make_segments(struct elfw *elfw);

/* Of make_infos: .nv.info, and .nv.info.F of the functions [from, to), which share some room. */
void make_global_info(struct elfw *elfw, const struct call_graph *graph,
                      const struct reach_summary *summary);
struct function_infos;
struct function_infos *open_function_infos(struct elfw *elfw, const struct call_graph *graph,
                                           const struct reach_summary *summary,
                                           struct arena *arena);
void make_function_infos(struct function_infos *infos, struct elfw *elfw, uint32_t from,
                         uint32_t to);

/* Will the section be in the file? Needs the counts of relocate. */
bool section_is_written(const struct elfw *elfw, const struct section *section);

/* Is the function listed in .nv.prototype? Those taken by address have theirs in the call graph. */
static inline bool
function_has_prototype_row(const struct function *function)
{
    return !function->is_dead && function->prototype && !function->is_address_taken;
}

/* Gives a section contents made by the linker. */
void set_contents(struct elfw *elfw, uint32_t section, uint8_t *bytes, uint64_t size);

#endif
