/*
 * measurements.h: what a link can say about its own costs.
 */
#ifndef CULD_DRIVER_MEASUREMENTS_H
#define CULD_DRIVER_MEASUREMENTS_H

#include "link.h"

/* Begins to measure if --stats or --time-trace asks for it; fatal if the file of the latter cannot
   be written. */
void measurements_begin(culd_link *link);

/* The results so far: the table of --stats and the file of --time-trace. */
void measurements_update(culd_link *link);

#endif
