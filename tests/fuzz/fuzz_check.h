/*
 * fuzz_check.h: what every fuzz target promises, and how a broken promise shows.
 */
#ifndef CULD_FUZZ_CHECK_H
#define CULD_FUZZ_CHECK_H

#include "culd.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Inputs are small: an output above this follows from a damaged size or alignment. */
#ifndef LARGEST_OUTPUT
#define LARGEST_OUTPUT ((size_t)1 << 30)
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct outcome {
    unsigned problems; /* messages that explain a failure */
    size_t text;
};

static inline void
count_message(void *user, enum culd_severity severity, const char *text)
{
    struct outcome *outcome = user;

    outcome->problems += severity == CULD_ERROR || severity == CULD_FATAL_ERROR;
    outcome->text += strlen(text);
}

static inline void
require(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "BROKEN PROMISE: %s\n", what);
    abort();
}

/* Runs the link, checks how it ended, and destroys it. */
static inline void
run_and_check(culd_link *link, const struct outcome *outcome)
{
    size_t output_size = 0;
    enum culd_status status = culd_run(link);
    const void *output = culd_output(link, &output_size);

    if (status == CULD_OK)
        require(output && output_size >= 64, "success without an output");
    else
        require(!output && outcome->problems, "failure with an output or without a message");
    require(output_size <= LARGEST_OUTPUT, "the output is huge");
    culd_destroy(link);
}

#endif
