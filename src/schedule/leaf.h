/*
 * leaf.h: what an executable link does to the instructions of a leaf kernel on sm_100 and later.
 *
 * A leaf kernel is a kernel without a call. ptxas compiled it as if unknown code might follow: it
 * keeps the load of the stack pointer (R1) alive to the exits and pads memory fences. The link
 * knows better, so the scoreboards are numbered anew without that load, and the padding goes.
 *
 * This is the only door of the folder: text in, text out, and a verdict. Whatever the bytes are,
 * the result is valid code: the kernel as nvlink would write it where that was proven to keep every
 * dependency, and otherwise the kernel as it came. See docs/leaf-kernels.md.
 */
#ifndef CULD_SCHEDULE_LEAF_H
#define CULD_SCHEDULE_LEAF_H

#include "base/arena.h"
#include "base/bytes.h"

/* Where one indirect branch may go: a record of attribute 0x34 of .nv.info.K. Byte offsets in the
   text as it came. */
struct leaf_jump {
    uint32_t at;
    const uint32_t *targets;
    uint32_t target_count;
};

struct leaf_kernel {
    struct bytes text;             /* .text.K as it came, relocations not applied */
    unsigned sm;                   /* of the target: 100, 103, ... */
    const struct leaf_jump *jumps; /* ascending */
    uint32_t jump_count;
    bool is_of_cuda_12;   /* compiled by a release before 13.0 */
    bool may_have_guards; /* an earlier link may have guarded its exits for debuggers */
    bool is_guarded;      /* this link has just done so */
    bool may_call;        /* else it is a leaf */
    bool may_have_inner;  /* functions inside of it may be called */
    /* Instructions that have the offset of a place of the text as a number, ascending, and the instructions
       at these places, ascending, too. */
    const uint32_t *addresses, *named;
    uint32_t address_count;
    bool knows_addresses; /* there are no others */
    bool gains_load;      /* its load of R1, which nobody waits for, is to have a scoreboard */
    struct arena *keep;   /* for a new text, where it can be written there at once; or NULL */
};

enum leaf_verdict {
    LEAF_NOT_LEAF,  /* it calls: nothing is to be done */
    LEAF_UNCHANGED, /* nothing to do, and this is what nvlink would write */
    LEAF_REWRITTEN, /* control bits or padding differ, and every dependency was proven to hold */
    LEAF_COPIED     /* scoreboards as they came, because of `reason`; nvlink might write others */
};

struct leaf_result {
    enum leaf_verdict verdict;
    const char *reason; /* of LEAF_COPIED, a phrase for people; else NULL */
    struct bytes text;  /* the kernel's own bytes where nothing changed, else memory of the arena */

    /* Fence padding that was removed: numbers of instructions of the old text, ascending. Padding
       goes whatever the verdict on the scoreboards is. Where `removed_count` is not 0, offsets
       into the text move (leaf_moved), and the text's size is that of `text`. */
    const uint32_t *removed;
    uint32_t removed_count;
    bool is_kept; /* the text is in memory of kernel->keep */
};

/* Never fails: text that makes no sense is copied. Time is linear in the text but for a factor of
   the six scoreboards. */
struct leaf_result leaf_rewrite(const struct leaf_kernel *kernel, struct arena *arena);

/* The same for other code: only what releases before 13.0 padded it with goes, and guards of exits. */
struct leaf_result code_rewrite(const struct leaf_kernel *code, struct arena *arena);

/*
 * A kernel of a whole program, which was compiled as one that nothing follows, becomes part of another
 * program: its load of R1 gets a scoreboard, and the others are numbered anew.
 */
struct leaf_result part_rewrite(const struct leaf_kernel *kernel, struct arena *arena);

/* The text of code whose exits have just been guarded: they come later now, and wait for what is done by
   then, so that its scoreboards are free behind them. The same text where that was not proven. */
struct bytes renew_behind_guards(const struct leaf_kernel *code, struct arena *arena);

/* The new offset of a byte of the old text; of a removed instruction, that of what follows it, and
   of a removed NOP, that of what it followed.
   Offsets at or beyond the old end move to the new end. */
uint64_t leaf_moved(const struct leaf_kernel *kernel, const struct leaf_result *result,
                    uint64_t offset);

/* How many of the `count` instructions from number `first` on were removed. What a capsule's entry
   covers shrinks by this. */
uint32_t leaf_removed_among(const struct leaf_result *result, uint32_t first, uint32_t count);

#endif
