/*
 * toolkit.h: --make-toolkit, a CUDA toolkit whose nvlink is culd. Part of the command, not of the
 * library: it looks around on the machine and writes where it is told to.
 *
 * nvcc takes its tools from the folder it was started from. So a folder of links to an installed
 * toolkit, with bin/nvlink a link to culd, is a toolkit in which everything is as installed but the
 * device linker.
 */
#ifndef CULD_TOOLKIT_H
#define CULD_TOOLKIT_H

#include "link.h"

/* Does --make-toolkit take the place of the link? */
bool toolkit_is_wanted(const culd_link *link);

/* Makes or refreshes the folder; the text for standard output says what it is now. */
enum culd_status toolkit_make(culd_link *link);

#endif
