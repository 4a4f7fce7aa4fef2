#include <cuda_bf16.h>

__device__ unsigned long long describe(const void *tile, int leading, int stride);

__global__ void __launch_bounds__(128) product(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *out)
{
    __shared__ __align__(128) __nv_bfloat16 left[64 * 16], right[8 * 16];
    for (int i = threadIdx.x; i < 64 * 16; i += 128)
        left[i] = a[i];
    if (threadIdx.x < 128)
        right[threadIdx.x] = b[threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    unsigned long long da = describe(left, 128, 256), db = describe(right, 128, 256);
    float sum[4] = {0, 0, 0, 0};
    asm volatile("wgmma.fence.sync.aligned;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;\n"
                 "wgmma.commit_group.sync.aligned;\n"
                 "wgmma.wait_group.sync.aligned 0;\n"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "l"(da), "l"(db)
                 : "memory");
    for (int i = 0; i < 4; i++)
        out[threadIdx.x * 4 + i] = sum[i];
}
