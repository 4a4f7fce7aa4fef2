#include "gpu.h"

__global__ void tiles(int *out);
__global__ void coalesced(int *out);
__global__ void partitions(int *out);

int main()
{
    Array<int> out(3 * 128);
    RESOURCES(tiles);
    RESOURCES(coalesced);
    RESOURCES(partitions);
    tiles<<<1, 128>>>(out);
    coalesced<<<1, 128>>>(out + 128);
    partitions<<<1, 128>>>(out + 256);
    FINISH();
    out.print("out", 384);
}
