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

/* The most that write_fragments adds. */
enum { LONGEST_FRAGMENTS = INFO_HEADER_SIZE + UINT16_MAX };

/* Writes the lists of all that a kernel reaches: at the place of its own list, or behind all else. */
void write_fragments(struct record_writer *writer, struct fragments *fragments, uint32_t kernel,
                     bool is_own_place);

#endif
