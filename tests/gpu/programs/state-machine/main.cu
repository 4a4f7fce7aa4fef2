#include "gpu.h"
#include "machine.h"

__device__ State stop(Machine *)
{
    return {nullptr};
}

__global__ void scan(const char *text, int *out)
{
    Machine machine = {text + threadIdx.x, 0, 0, 0};
    for (State state = {blank}; state.next;)
        state = state.next(&machine);
    out[threadIdx.x] = machine.words * 100 + machine.numbers;
}

int main()
{
    deep_stack();
    const char text[] = "the 12 quick brown 3 foxes jumped 44 times over 1 lazy dog 2 or 3";
    Array<char> copy(std::vector<char>(text, text + sizeof text));
    Array<int> out(32);
    RESOURCES(scan);
    scan<<<1, 32>>>(copy, out);
    FINISH();
    out.print("counts", 32);
}
