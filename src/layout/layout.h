/*
 * layout.h: the layout phase. Decides what stays and where memory without fixed addresses goes.
 */
#ifndef CULD_LAYOUT_LAYOUT_H
#define CULD_LAYOUT_LAYOUT_H

#include "elfw/elfw.h"
#include "layout/call_graph.h"

/* Drops dead code; returns the call graph of what stays. */
struct call_graph *layout_functions(struct elfw *elfw);

/* Places shared memory, constants of functions and texture slots. */
void layout_memory(struct elfw *elfw, const struct call_graph *graph);

/* Its parts. */
void layout_commons(struct elfw *elfw);
void drop_dead_code(struct elfw *elfw);
void layout_shared(struct elfw *elfw, const struct call_graph *graph);
void layout_relocatable_shared(struct elfw *elfw);
void layout_reserved(struct elfw *elfw);
void note_fixed_shared(struct elfw *elfw);
/* Names the constants that nvlink's bank of unique constants would end with, in symbol 0. */
void note_unique_constants(struct elfw *elfw);
void pack_constant_bank(struct elfw *elfw);
void layout_function_constants(struct elfw *elfw, const struct call_graph *graph);
void settle_replaced_banks(struct elfw *elfw);
/* In the SASS view, those of whole programs. */
void layout_given_slots(struct elfw *elfw);
void layout_textures(struct elfw *elfw, const struct call_graph *graph);

/* Is the use of data by a function still in force, i.e. is it by the definition that won? */
static inline bool
use_counts(const struct elfw *elfw, const struct data_use *use)
{
    return elfw_function(elfw, use->function)->object == use->object;
}

#endif
