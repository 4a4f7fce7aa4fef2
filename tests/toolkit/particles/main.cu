#include "particles.h"

#include <cstdio>

int
main()
{
    const int count = 1000;
    particle *p;
    unsigned done = 0;

    cudaMalloc(&p, count * sizeof *p);
    restart<<<1, 1>>>(p, count);
    run(p, count);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&done, steps, sizeof done);
    std::printf("%u steps, %s\n", done, cudaGetErrorString(cudaGetLastError()));
    return 0;
}
