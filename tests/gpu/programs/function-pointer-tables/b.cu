typedef int (*step)(int);
static __device__ int add(int x) { return x + 11; }
static __device__ int triple(int x) { return x * 3; }
__device__ int flip(int x) { return x ^ 0x55; }
static __device__ int negate(int x) { return -x; }

__device__ step steps[3] = {add, triple, flip};
__constant__ step last = negate;
