#include "gpu.h"

__global__ void work(int *out);
__global__ void again(cudaGraphExec_t graph, int *out);

int main()
{
    Array<int> out(64);
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));

    cudaGraph_t inner, outer;
    cudaGraphExec_t inner_ready, outer_ready;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    work<<<1, 64, 0, stream>>>(out);
    CHECK(cudaStreamEndCapture(stream, &inner));
    CHECK(cudaGraphInstantiate(&inner_ready, inner, cudaGraphInstantiateFlagDeviceLaunch));
    CHECK(cudaGraphUpload(inner_ready, stream));

    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    again<<<1, 1, 0, stream>>>(inner_ready, out);
    CHECK(cudaStreamEndCapture(stream, &outer));
    CHECK(cudaGraphInstantiate(&outer_ready, outer, 0));
    for (int i = 0; i < 3; i++)
        CHECK(cudaGraphLaunch(outer_ready, stream));
    CHECK(cudaStreamSynchronize(stream));
    out.print("out");
}
