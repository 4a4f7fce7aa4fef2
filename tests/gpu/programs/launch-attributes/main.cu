#include "gpu.h"

__global__ void first(int *data);
__global__ void second(const int *data, int *out);
__global__ void clustered(int *out);

static cudaLaunchConfig_t configuration(int blocks, int threads, cudaLaunchAttribute *attributes)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.attrs = attributes;
    config.numAttrs = 1;
    return config;
}

int main()
{
    Array<int> data(256), out(256), groups(8 * 32);
    cudaLaunchAttribute serial[1], cluster[1];
    serial[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    serial[0].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = configuration(4, 64, serial);
    first<<<4, 64>>>(data);
    CHECK(cudaLaunchKernelEx(&config, second, (const int *)data, (int *)out));
    FINISH();
    out.print("dependent");

    cluster[0].id = cudaLaunchAttributeClusterDimension;
    cluster[0].val.clusterDim.x = 4;
    cluster[0].val.clusterDim.y = cluster[0].val.clusterDim.z = 1;
    config = configuration(8, 32, cluster);
    int size = 0;
    CHECK(cudaOccupancyMaxPotentialClusterSize(&size, clustered, &config));
    CHECK(cudaLaunchKernelEx(&config, clustered, (int *)groups));
    FINISH();
    printf("clusters of at most %d\n", size);
    groups.print("clusters", 8);
}
