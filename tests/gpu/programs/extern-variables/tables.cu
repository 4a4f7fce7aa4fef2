__device__ int open_array[10] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
extern __device__ const double table[4] = {0.5, 0.25, 0.125, 0.0625};
__device__ __align__(256) char aligned[300];
