#include "gpu.h"

__global__ void fill(int *data, int value);
__global__ void square(int *data);
__global__ void sum(const int *data, int *total);

int main()
{
    Array<int> data(64), total(1);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    fill<<<1, 64, 0, stream>>>(data, 3);
    square<<<1, 64, 0, stream>>>(data);
    sum<<<1, 64, 0, stream>>>(data, total);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaStreamSynchronize(stream));
    total.print("first");

    size_t count = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    CHECK(cudaGraphGetNodes(graph, nodes.data(), &count));
    for (cudaGraphNode_t node : nodes) {
        cudaKernelNodeParams kernel;
        CHECK(cudaGraphKernelNodeGetParams(node, &kernel));
        if (kernel.func != (void *)fill)
            continue;
        int *at = data, value = 5;
        void *arguments[] = {&at, &value};
        kernel.kernelParams = arguments;
        CHECK(cudaGraphExecKernelNodeSetParams(ready, node, &kernel));
    }
    CHECK(cudaGraphLaunch(ready, stream));
    CHECK(cudaStreamSynchronize(stream));
    printf("%zu nodes\n", count);
    total.print("second");
}
