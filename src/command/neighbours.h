/*
 * neighbours.h: tools in the folder that the command was started from. In a toolkit made by
 * --make-toolkit, whose nvlink culd is, those are the toolkit's own.
 */
#ifndef CULD_COMMAND_NEIGHBOURS_H
#define CULD_COMMAND_NEIGHBOURS_H

#include "culd.h"

/* PTX is compiled by the ptxas beside the command, if there is one and no option names another. */
void use_neighbouring_ptxas(culd_link *link, const char *command);

#endif
