static __device__ int step = 1;
__device__ int left(int x) { return x - step; }
