/*
 * option_checks.h: what can be wrong with options that are right one by one.
 */
#ifndef CULD_OPTION_CHECKS_H
#define CULD_OPTION_CHECKS_H

#include "link.h"

/* Makes the text of --help or --version, which take the place of a link. */
bool wants_text(culd_link *link);

/* Sets the target and what the messages look like; fatal if the options cannot be followed. */
void check_options(culd_link *link);

#endif
