/*
 * fragments.h: AT_ENTRY_FRAGMENTS, code that the driver puts before a kernel for what the kernel
 * reaches. Only kernels have such records in the output.
 */
#ifndef CULD_FINALIZE_FRAGMENTS_H
#define CULD_FINALIZE_FRAGMENTS_H

#include "finalize/externals.h"
#include "finalize/record_writer.h"

/* What a kernel needs. */
struct fragments {
    struct externals needed; /* by number, its own among them */
    bool is_only_kernel;
    bool are_written;
};

/* Where the first that it needs is met, UINT64_MAX: it needs none. */
uint64_t first_fragment(struct externals needed);

/* At the place of the kernel's own record: several kernels add to their own what else they need, an
   only one keeps its own if it needs nothing else. */
void write_own_fragments(struct record_writer *writer, struct fragments *fragments,
                         struct bytes own, const char *kernel);

/* Behind the kernel's records, if they were not written. */
void append_fragments(struct record_writer *writer, struct fragments *fragments,
                      const char *kernel);

#endif
