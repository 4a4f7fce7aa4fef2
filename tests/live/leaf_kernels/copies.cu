// Asynchronous copies and barriers in shared memory.
#include <cuda_pipeline.h>

template <int STAGES>
__global__ void pipelined(const float4 *in, float4 *out, int n)
{
    __shared__ float4 stage[STAGES][128];
    int t = threadIdx.x;
    for (int s = 0; s < STAGES - 1; s++) {
        __pipeline_memcpy_async(&stage[s][t], &in[s * 128 + t], 16);
        __pipeline_commit();
    }
    for (int i = 0; i < n; i++) {
        int next = i + STAGES - 1;
        if (next < n)
            __pipeline_memcpy_async(&stage[next % STAGES][t], &in[next * 128 + t], 16);
        __pipeline_commit();
        __pipeline_wait_prior(STAGES - 1);
        __syncthreads();
        float4 v = stage[i % STAGES][t ^ 1];
        v.x *= 2;
        out[i * 128 + t] = v;
        __syncthreads();
    }
}
template __global__ void pipelined<2>(const float4 *, float4 *, int);
template __global__ void pipelined<4>(const float4 *, float4 *, int);

__global__ void copy_and_sum(const int *in, int *out, int n)
{
    __shared__ int tile[256];
    __pipeline_memcpy_async(&tile[threadIdx.x], &in[blockIdx.x * 256 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += tile[(threadIdx.x + i) % 256];
    out[blockIdx.x * 256 + threadIdx.x] = sum;
}

__device__ static unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void bulk_copy(const char *in, int *out, int bytes)
{
    __shared__ alignas(128) char tile[4096];
    __shared__ alignas(8) unsigned long long barrier;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(shared_address(&barrier)));
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)), "r"(bytes));
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                         shared_address(tile)),
                     "l"(in), "r"(bytes), "r"(shared_address(&barrier)));
    }
    int done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(shared_address(&barrier)));
    out[threadIdx.x] = ((int *)tile)[threadIdx.x];
}

__global__ void bulk_store(const int *in, int *out)
{
    __shared__ alignas(128) int tile[256];
    tile[threadIdx.x] = in[threadIdx.x] + 1;
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out), "r"(shared_address(tile)));
        asm volatile("cp.async.bulk.commit_group;");
        asm volatile("cp.async.bulk.wait_group 0;");
    }
}

__global__ void arrive_and_wait(const float *in, float *out, int rounds)
{
    __shared__ alignas(8) unsigned long long barrier;
    __shared__ float tile[128];
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(blockDim.x));
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        unsigned long long token;
        int done = 0;
        tile[threadIdx.x] = in[r * 128 + threadIdx.x];
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(&barrier)));
        while (!done)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.s32 %0, 1, 0, p; }"
                         : "=r"(done)
                         : "r"(shared_address(&barrier)), "l"(token));
        sum += tile[(threadIdx.x + 1) % 128];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void named_barriers(const int *in, int *out)
{
    __shared__ int tile[64];
    if (threadIdx.x < 64) {
        tile[threadIdx.x] = in[threadIdx.x];
        asm volatile("bar.arrive 1, 128;");
    } else {
        asm volatile("bar.sync 1, 128;");
        out[threadIdx.x - 64] = tile[127 - threadIdx.x];
    }
}

__global__ void depends_on_grid(const int *in, int *out)
{
    int i = threadIdx.x * 4;
    asm volatile("griddepcontrol.wait;");
    out[i] = in[i] + 1;
    asm volatile("griddepcontrol.launch_dependents;");
}
