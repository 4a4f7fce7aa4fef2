/*
 * frames.h: .debug_frame of the SASS view.
 *
 * It describes the functions that stay and no others, unlike that of mercury, which is joined from
 * the inputs as it is; and a description finds what it shares with others at its true place.
 */
#ifndef CULD_MERCURY_FRAMES_H
#define CULD_MERCURY_FRAMES_H

#include "elfw/elfw.h"

/* Once the section has its pieces of SASS, and its relocations too. */
void mercury_rebuild_frames(struct elfw *elfw, uint32_t section);

#endif
