// The second file of a debug link: a definition and an equal template.
extern __device__ int total;

template <class T> __device__ __noinline__ T shift(T x) { return x + total; }

__device__ int twice(int x) { return x + x; }
__device__ int unused(int x) { return x - 1; }

__global__ void second(int *out) { *out = shift(*out); }
