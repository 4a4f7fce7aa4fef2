#include "step.h"

__global__ void in_order(int *out)
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    add<<<1, 64, 0, stream>>>(out, 5);
    scale<<<1, 64, 0, stream>>>(out, 3);
    add<<<1, 64, 0, stream>>>(out, 1);
    cudaStreamDestroy(stream);
}

__global__ void apart(int *out)
{
    add<<<1, 32, 0, cudaStreamFireAndForget>>>(out + 32 * threadIdx.x, threadIdx.x + 1);
    cudaStream_t first, second;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    add<<<1, 32, 0, first>>>(out + 32 * threadIdx.x, 10);
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done, 0);
    add<<<1, 32, 0, second>>>(out + 32 * threadIdx.x, 100);
    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
