#include "gpu.h"
#include "parts.h"

__global__ void bytes_and_words(int *out)
{
    out[threadIdx.x] = by_bytes(threadIdx.x) + 1000 * by_words(threadIdx.x);
}
__global__ void doubles_only(int *out)
{
    out[threadIdx.x] = (int)by_doubles(threadIdx.x);
}
__global__ void everything(int *out)
{
    __shared__ short own[33];
    own[threadIdx.x] = threadIdx.x;
    dynamic[threadIdx.x] = by_bytes(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = by_words(own[31 - threadIdx.x]) + (int)by_doubles(threadIdx.x) + dynamic[(threadIdx.x + 1) % 32];
}
__global__ void dynamic_only(int *out)
{
    dynamic[threadIdx.x] = threadIdx.x * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = dynamic[31 - threadIdx.x];
}

int main()
{
    Array<int> out(128);
    RESOURCES(bytes_and_words);
    RESOURCES(doubles_only);
    RESOURCES(everything);
    RESOURCES(dynamic_only);
    bytes_and_words<<<1, 32>>>(out);
    doubles_only<<<1, 32>>>(out + 32);
    everything<<<1, 32, 128>>>(out + 64);
    dynamic_only<<<1, 32, 128>>>(out + 96);
    FINISH();
    out.print("out", 128);
}
