/*
 * report.h: what a link tells about itself on request.
 */
#ifndef CULD_REPORT_REPORT_H
#define CULD_REPORT_REPORT_H

#include "finalize/reached.h"

/* --verbose: memory of the program and resources of every kernel, the last defined first. */
void report_resources(struct elfw *elfw, const struct call_graph *graph,
                      const struct reach_summary *summary);

/* --dump-callgraph: every function with what it may call. */
void report_callgraph(struct elfw *elfw);

/* Checks the register limits of kernels; with --dump-callgraph also tells which function raised
   the count of which kernel. */
void report_registers(struct elfw *elfw, const struct call_graph *graph,
                      const struct reach_summary *summary);

#endif
