#include "gpu.h"

__global__ void step(long long *value, int *count, cudaGraphConditionalHandle loop);

int main()
{
    Array<long long> value(std::vector<long long>{27});
    Array<int> count(1);
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaGraphConditionalHandle loop;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&loop, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams while_node = {cudaGraphNodeTypeConditional};
    while_node.conditional.handle = loop;
    while_node.conditional.type = cudaGraphCondTypeWhile;
    while_node.conditional.size = 1;
    cudaGraphNode_t node;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &while_node));

    long long *value_at = value;
    int *count_at = count;
    void *arguments[] = {&value_at, &count_at, &loop};
    cudaGraphNodeParams body = {cudaGraphNodeTypeKernel};
    body.kernel.func = (void *)step;
    body.kernel.gridDim = body.kernel.blockDim = dim3(1);
    body.kernel.kernelParams = arguments;
    CHECK(cudaGraphAddNode(&node, while_node.conditional.phGraph_out[0], nullptr, nullptr, 0, &body));
    CHECK(cudaGraphInstantiate(&ready, graph, 0));
    CHECK(cudaGraphLaunch(ready, 0));
    FINISH();
    value.print("value");
    count.print("count");
}
