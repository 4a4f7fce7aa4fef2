/*
 * guard.h: what the process itself must survive, whatever it was started with and whatever happens
 * to its inputs while they are read.
 */
#ifndef CULD_COMMAND_GUARD_H
#define CULD_COMMAND_GUARD_H

#include "culd.h"

/* Streams that are closed would be taken by the next file opened: messages must not get there. A
   reader that goes away and a limit on file sizes are failures to be reported, not deaths. */
void guard_streams(void);

/* A mapped input that someone cuts short or writes to ends the link with a message, if it ends it,
   not with a signal. */
void guard_inputs(const culd_link *link, const char *program);

#endif
