/*
 * verify.h: is a kernel with new scoreboards as correct as the one that came?
 *
 * Nothing of how the new ones were made is known here; both texts are taken apart again. Along
 * every path, what the old text guarantees to be done the new text must guarantee, too. One thing
 * is exempt: an old wait may have stood for several producers because they shared a scoreboard, and
 * of a producer that has nothing to do but with registers, the guarantee is only needed before the
 * first instruction that touches these.
 */
#ifndef CULD_SCHEDULE_VERIFY_H
#define CULD_SCHEDULE_VERIFY_H

#include "schedule/code.h"

/* True if it was proven; else `reason` says what could not be. */
bool schedule_holds(const struct leaf_kernel *kernel, struct bytes rewritten, struct arena *arena,
                    const char **reason);

/* The same where the kernel has been taken apart; `code` is not to be used afterwards. */
bool schedule_of_code_holds(struct code *code, const struct leaf_kernel *kernel,
                            struct bytes rewritten, const char **reason);

#endif
