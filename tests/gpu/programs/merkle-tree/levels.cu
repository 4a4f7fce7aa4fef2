#include "sha.h"

__global__ void leaves(const unsigned *data, Digest *tree, int)
{
    Digest digest = initial();
    compress(&digest, data + 16 * threadIdx.x);
    tree[threadIdx.x] = digest;
}
__global__ void level(Digest *tree, int first, int count)
{
    unsigned block[16];
    for (int i = 0; i < 16; i++)
        block[i] = tree[first + 2 * threadIdx.x + i / 8].word[i % 8];
    Digest digest = initial();
    compress(&digest, block);
    tree[first + count + threadIdx.x] = digest;
}
