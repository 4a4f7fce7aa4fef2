__device__ int partition(int *data, int left, int right);
__device__ void selection_sort(int *data, int left, int right);

__global__ void quicksort(int *data, int left, int right, int depth)
{
    if (depth >= 12 || right - left <= 64) {
        selection_sort(data, left, right);
        return;
    }
    int middle = partition(data, left, right);
    cudaStream_t streams[2];
    for (int side = 0; side < 2; side++) {
        cudaStreamCreateWithFlags(&streams[side], cudaStreamNonBlocking);
        int from = side ? middle + 1 : left, to = side ? right : middle;
        if (from < to)
            quicksort<<<1, 1, 0, streams[side]>>>(data, from, to, depth + 1);
        cudaStreamDestroy(streams[side]);
    }
}
