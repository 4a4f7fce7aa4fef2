#include "tree.h"

static __device__ int same(int x) { return x; }
static __device__ int square(int x) { return x * x; }
static __managed__ int used;

__global__ void sum(const Tree *tree, int which, int *out)
{
    used++;
    *out = walk(tree, which ? square : same) * 10 + used;
}
