#include "gpu.h"

extern __device__ int open_array[];
extern __device__ const double table[];
extern __device__ int *middle;
extern __device__ __align__(256) char aligned[300];
extern __constant__ int *const_pointer;

__global__ void read_all(long long *out)
{
    out[0] = open_array[9];
    out[1] = (long long)(table[3] * 1000);
    out[2] = *middle + middle[1] - middle[-1];
    out[3] = (unsigned long long)aligned % 256;
    out[4] = *const_pointer;
    out[5] = const_pointer - open_array;
    aligned[299] = 5;
    out[6] = aligned[299];
}

int main()
{
    Array<long long> out(7);
    read_all<<<1, 1>>>(out);
    FINISH();
    out.print("out", 7);
    int changed[10] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    void *address;
    CHECK(cudaGetSymbolAddress(&address, middle));
    CHECK(cudaMemcpyToSymbol(open_array, changed, sizeof changed));
    read_all<<<1, 1>>>(out);
    FINISH();
    out.print("out", 7);
}
