#include "gpu.h"

__global__ void plain(float *out);
__global__ void with_stack(float *out);
__global__ void with_shared(float *out);
__global__ void with_everything(float *out);
__global__ void with_barriers(float *out);

template <typename Kernel> static void report(const char *name, Kernel *kernel)
{
    print_resources(name, kernel);
    for (int threads = 64; threads <= 1024; threads *= 4) {
        int blocks;
        CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 1024));
        printf("  %d threads: %d blocks\n", threads, blocks);
    }
    int grid, block;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
    printf("  best: %d threads\n", block);
    Array<float> out(128);
    kernel<<<1, 128>>>(out);
    FINISH();
    out.print("  out", 4);
}

int main()
{
    report("plain", plain);
    report("with_stack", with_stack);
    report("with_shared", with_shared);
    report("with_everything", with_everything);
    report("with_barriers", with_barriers);
}
