#include "particles.h"

__device__ float attraction[16] = {1, 2, 4, 8, 4, 2, 1};
__device__ unsigned steps = 1;
