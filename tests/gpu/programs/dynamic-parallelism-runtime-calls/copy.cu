__global__ void fill(int *list)
{
    list[threadIdx.x] = 3 * threadIdx.x + 1;
}

__global__ void copy(int *from, int *to, int count)
{
    fill<<<1, count>>>(from);
    cudaMemsetAsync(to, 1, count * sizeof(int), 0);
    cudaMemcpyAsync(to + count / 2, from, count / 2 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
}
