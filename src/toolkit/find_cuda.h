/*
 * find_cuda.h: where CUDA is installed.
 */
#ifndef CULD_TOOLKIT_FIND_CUDA_H
#define CULD_TOOLKIT_FIND_CUDA_H

#include "base/arena.h"
#include "base/diag.h"

/* Real paths. `bin` is where the true nvcc is, behind wrapper scripts, and `root` the folder above;
   without nvcc (clang needs none) it is where ptxas is. */
struct cuda_toolkit {
    const char *root;
    const char *bin;
    bool has_nvcc;
};

/*
 * The toolkit in the folder `given` or, if that is NULL, the first of: CUDA_PATH, CUDA_HOME, that
 * of the nvcc on PATH, the usual places. Of a folder that --make-toolkit made, the toolkit behind
 * it. Fatal if there is none.
 */
struct cuda_toolkit find_cuda(struct arena *arena, struct diag *diag, const char *given);

#endif
