static __constant__ int step = 2;
__device__ int right(int x) { return x + step; }
