/*
 * fragments.h: AT_ENTRY_FRAGMENTS records, which only kernels have in the output.
 */
#ifndef CULD_FINALIZE_FRAGMENTS_H
#define CULD_FINALIZE_FRAGMENTS_H

#include "finalize/record_writer.h"
#include "layout/call_graph.h"

/* Room for the walks from all kernels, one after the other. */
struct fragments;
struct fragments *new_fragments(struct elfw *elfw, const struct call_graph *graph);

/* The most that append_fragments adds. */
enum { LONGEST_FRAGMENTS = INFO_HEADER_SIZE + UINT16_MAX };

/* Ends the records of a kernel with the lists of all it reaches. */
void append_fragments(struct record_writer *writer, struct fragments *fragments, uint32_t kernel);

#endif
