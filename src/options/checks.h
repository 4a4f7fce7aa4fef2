/*
 * checks.h: what can be wrong with options that are right one by one.
 */
#ifndef CULD_OPTIONS_CHECKS_H
#define CULD_OPTIONS_CHECKS_H

#include "link.h"

/* What messages look like from here on. Called once all options are known. */
void set_messages(culd_link *link);

/* Makes the text of --help or --version, which take the place of a link. */
bool wants_text(culd_link *link);

/* Sets the target; fatal if the options cannot be followed. In nvlink's order. */
void check_options(culd_link *link);

#endif
