__device__ int shared_part(int x) { return x + 4; }
__device__ int dropped_part(int x) { return x + 5; }
