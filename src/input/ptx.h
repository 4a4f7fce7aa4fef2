/*
 * ptx.h: inputs in PTX are compiled by ptxas, several at once.
 *
 * A compilation is started where its input is read and its result awaited as late as possible.
 * Nothing may overtake it in the messages: the link's diag settles all that was started before it
 * lets anything else be said. ptxas gets argument vectors and anonymous files, never a shell and
 * never a name in a folder that others can write to.
 */
#ifndef CULD_INPUT_PTX_H
#define CULD_INPUT_PTX_H

#include "arch/arch.h"
#include "base/array.h"
#include "base/bytes.h"

#include <sys/types.h>
#include <time.h>

struct ptx_job {
    pid_t process; /* 0: ended */
    int status;
    int text, cubin, messages; /* anonymous files */
    const char *name;
    bool is_file;
    struct timespec start;
    double milliseconds;
    struct bytes *image; /* where the result goes */
};

struct ptx_source {
    const char *name;
    bool is_file; /* else an entry of a fatbin */
    struct bytes text;
    const char *options; /* of this text only */
};

typedef void (*ptx_timing_fn)(void *user, const char *input, bool is_file, double milliseconds);

struct ptx_compiler {
    struct arena *arena;
    const struct arch *arch;
    const char *ptxas; /* given by the user; NULL: to be searched for */
    const char *const *options;
    uint32_t option_count;
    const char *refusal; /* why nothing can be compiled, NULL: it can */
    uint32_t most_at_once;
    ptx_timing_fn on_timing;
    void *user;

    ARRAY(struct ptx_job) jobs;
    uint32_t settled; /* jobs before this one have been reported */
    bool is_settling;
    uint32_t running;
};

/* Compiles for the target. `*image` is filled in when the compiler is settled, and must stay where
   it is. */
void ptx_start(struct ptx_compiler *compiler, const struct ptx_source *source, struct bytes *image);

/* Waits for everything started, passing on what ptxas said; fatal if a compilation failed. */
void ptx_settle(struct ptx_compiler *compiler);

/* Ends what is still running. */
void ptx_release(struct ptx_compiler *compiler);

#endif
