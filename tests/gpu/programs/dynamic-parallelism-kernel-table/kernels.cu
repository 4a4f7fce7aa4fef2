typedef void (*kernel)(int *);
__global__ void squares(int *out) { out[threadIdx.x] = threadIdx.x * threadIdx.x; }
static __global__ void odds(int *out) { out[threadIdx.x] = 2 * threadIdx.x + 1; }
template <int N> __global__ void multiples(int *out) { out[threadIdx.x] = N * threadIdx.x; }

__device__ kernel kernels[3] = {squares, odds, multiples<11>};
