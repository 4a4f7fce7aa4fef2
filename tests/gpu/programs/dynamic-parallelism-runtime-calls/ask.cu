__global__ void ask(int *out)
{
    int device = -1, threads = 0, version = 0;
    out[0] = cudaGetDevice(&device);
    out[1] = device;
    out[2] = cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerBlock, device);
    out[3] = threads;
    out[4] = cudaRuntimeGetVersion(&version) == cudaSuccess && version >= 12000;
    out[5] = cudaGetLastError();
    const char *name = cudaGetErrorName(cudaErrorInvalidValue);
    for (int i = 0; name[i]; i++)
        out[6] = out[6] * 31 + name[i];
    int *list = nullptr;
    out[7] = cudaMalloc((void **)&list, 4096);
    for (int i = 0; i < 1024; i++)
        list[i] = i;
    out[8] = list[1000] + list[24];
    out[9] = cudaFree(list);
}
