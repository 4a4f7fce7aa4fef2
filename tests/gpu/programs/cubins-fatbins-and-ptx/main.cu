#include "gpu.h"

int main()
{
    cudaLibrary_t library;
    cudaKernel_t kernel;
    CHECK(cudaLibraryLoadFromFile(&library, "all.cubin", nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cudaLibraryGetKernel(&kernel, library, "compute"));
    Array<int> out(32);
    int *at = out;
    void *arguments[] = {&at};
    CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, 0));
    FINISH();
    out.print("out");
}
