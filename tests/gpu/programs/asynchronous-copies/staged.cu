#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

__device__ int digest(const int *tile, int i);

__global__ void staged(const int *in, int *out, int tiles)
{
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    __shared__ int buffers[2][128];
    auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    for (int tile = 0, fetched = 0; tile < tiles; tile++) {
        for (; fetched < tiles && fetched < tile + 2; fetched++) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, buffers[fetched % 2], in + fetched * 128, 128 * sizeof(int), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        out[tile * 128 + threadIdx.x] = digest(buffers[tile % 2], threadIdx.x);
        pipeline.consumer_release();
    }
}
