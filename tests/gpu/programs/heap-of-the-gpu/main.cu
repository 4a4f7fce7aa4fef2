#include "gpu.h"
#include "list.h"

__global__ void build(Node **lists, int length)
{
    Node *list = nullptr;
    for (int i = 0; i < length; i++)
        list = push(list, i * (threadIdx.x + 1));
    lists[threadIdx.x] = list;
}

__global__ void consume(Node **lists, int *out)
{
    out[threadIdx.x] = drain(lists[threadIdx.x]);
}

int main()
{
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
    Array<Node *> lists(128);
    Array<int> out(128);
    build<<<1, 128>>>(lists, 50);
    consume<<<1, 128>>>(lists, out);
    FINISH();
    out.print("sums");
}
