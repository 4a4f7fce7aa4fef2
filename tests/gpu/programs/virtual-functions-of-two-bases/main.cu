#include "gpu.h"
#include "animals.h"

__global__ void race(int *out)
{
    Duck duck;
    Otter otter;
    Duck *chosen = threadIdx.x % 2 ? &duck : &otter;
    out[threadIdx.x] = exercise(chosen, chosen, threadIdx.x);
    Swimmer *heap = threadIdx.x % 3 ? new Duck : new Otter;
    out[threadIdx.x] += 100000 * heap->rest();
    delete heap;
}

int main()
{
    deep_stack();
    Array<int> out(32);
    RESOURCES(race);
    race<<<1, 32>>>(out);
    FINISH();
    out.print("race", 12);
}
