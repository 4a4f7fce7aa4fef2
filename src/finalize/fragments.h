/*
 * fragments.h: AT_ENTRY_FRAGMENTS records, which only kernels have in the output.
 */
#ifndef CULD_FINALIZE_FRAGMENTS_H
#define CULD_FINALIZE_FRAGMENTS_H

#include "finalize/record_writer.h"
#include "layout/call_graph.h"

/* The size of all such records of the program. */
size_t total_fragments(const struct elfw *elfw);

/* Ends the records of a kernel with the lists of all it reaches. */
void append_fragments(struct record_writer *writer, const struct call_graph *graph,
                      uint32_t kernel);

#endif
