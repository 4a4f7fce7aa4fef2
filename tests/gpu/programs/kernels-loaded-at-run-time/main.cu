#include "gpu.h"

static void use(const char *file)
{
    cudaLibrary_t library;
    cudaKernel_t kernel;
    CHECK(cudaLibraryLoadFromFile(&library, file, nullptr, nullptr, 0, nullptr, nullptr, 0));
    CHECK(cudaLibraryGetKernel(&kernel, library, "scale"));
    void *factor;
    size_t size;
    CHECK(cudaLibraryGetGlobal(&factor, &size, library, "factor"));
    int value = 6;
    CHECK(cudaMemcpy(factor, &value, size, cudaMemcpyHostToDevice));
    Array<int> out(32);
    int *at = out, n = 32;
    void *arguments[] = {&at, &n};
    CHECK(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(32), arguments, 0, 0));
    FINISH();
    cudaFuncAttributes found;
    CHECK(cudaFuncGetAttributes(&found, (const void *)kernel));
    unsigned count;
    CHECK(cudaLibraryGetKernelCount(&count, library));
    printf("%s: %u kernels, %zu shared\n", file, count, found.sharedSizeBytes);
    out.print("out");
    CHECK(cudaLibraryUnload(library));
}

int main()
{
    use("kernels.cubin");
    use("kernels.fatbin");
}
