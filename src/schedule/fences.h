/*
 * fences.h: padding of memory fences that a leaf kernel does not need.
 *
 * ptxas puts four loads that never happen and a weaker fence before some fences, for code that it
 * does not see. Exactly these are taken out; branches and the padding at the text's end follow.
 *
 * Releases before 13.0 also put a NOP behind every instruction at which a warp converges, in any
 * code. It goes too. And so do the guards that an earlier link put before exits for debuggers: whether
 * there are any is decided anew.
 */
#ifndef CULD_SCHEDULE_FENCES_H
#define CULD_SCHEDULE_FENCES_H

#include "schedule/leaf.h"
#include "schedule/survey.h"

struct shortened {
    struct bytes text; /* no longer than before; the same bytes if nothing is to be removed, else
                          memory of kernel->keep or of the arena */
    const uint32_t *removed;
    uint32_t removed_count;
};

/* Is there anything that might go? */
static inline bool
may_be_shortened(unsigned contents)
{
    return contents & (MAY_HAVE_PADDING | MAY_HAVE_NOPS | MAY_HAVE_GUARDS);
}

/* False if there is padding that cannot be removed with certainty. `contents` are those of the text
   (survey_text). `text` may have new scoreboards, and nothing else that differs from the kernel's. */
bool shorten_fences(const struct leaf_kernel *kernel, struct bytes text, unsigned contents,
                    struct arena *arena, struct shortened *shortened);

#endif
