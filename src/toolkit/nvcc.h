/*
 * nvcc.h: what an nvcc says of itself.
 */
#ifndef CULD_TOOLKIT_NVCC_H
#define CULD_TOOLKIT_NVCC_H

#include "base/arena.h"

/* The folder in which this nvcc, or the one that it starts in turn, looks for its tools, as a real
   path. NULL if it does not run or does not say. */
const char *nvcc_tool_folder(struct arena *arena, const char *nvcc);

#endif
