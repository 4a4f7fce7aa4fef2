/*
 * output.h: the write phase. Makes the bytes of the file, as a whole or part by part.
 *
 * Part by part needs no memory for the file, leaves large pieces of the inputs where they are, and
 * can be done by several threads. Both ways give the same bytes.
 */
#ifndef CULD_FINALIZE_OUTPUT_H
#define CULD_FINALIZE_OUTPUT_H

#include "base/trace.h"
#include "elfw/elfw.h"

struct output {
    struct elfw *elfw;
    uint64_t size; /* of the file */

    /* For each section the tables that patch it, in the order of their creation. */
    uint32_t *first_table;
    uint32_t *next_table;
};

/* To be called once everything has its place. */
struct output *output_prepare(struct elfw *elfw);

/* `image` must be zero and have room for the file. */
void output_write_image(const struct output *output, uint8_t *image, unsigned threads,
                        struct trace *trace);

/* Writes a new file; false on failure (errno says why). */
bool output_write_parts(const struct output *output, int descriptor, unsigned threads,
                        struct trace *trace);

#endif
