__device__ float on_stack(int n);
__device__ float in_shared(int n);
__device__ float deep(int n);
__device__ float named_barrier(int n);

__global__ void plain(float *out) { out[threadIdx.x] = threadIdx.x; }
__global__ void with_stack(float *out) { out[threadIdx.x] = on_stack(threadIdx.x); }
__global__ void with_shared(float *out) { out[threadIdx.x] = in_shared(threadIdx.x); }
__global__ void with_everything(float *out) { out[threadIdx.x] = deep(threadIdx.x) + in_shared(threadIdx.x); }
__global__ void with_barriers(float *out) { out[threadIdx.x] = named_barrier(threadIdx.x); }
