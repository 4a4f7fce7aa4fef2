/*
 * time_table.h: the table of --time, one row for each compilation that a link needed.
 */
#ifndef CULD_DRIVER_TIME_TABLE_H
#define CULD_DRIVER_TIME_TABLE_H

#include "link.h"

/* Begins the table if it was asked for; fatal if its file cannot be written. */
void time_table_begin(culd_link *link);

/* A row: `source` was compiled by `compiler` into a file of kind `result`. The name of the input
   stands only where there is one. */
void time_table_add(culd_link *link, const char *source, const char *compiler, const char *input,
                    const char *result, double milliseconds);

#endif
