static __device__ void swap(int &a, int &b)
{
    int keep = a;
    a = b;
    b = keep;
}

__device__ int partition(int *data, int left, int right)
{
    int pivot = data[(left + right) / 2], i = left - 1, j = right + 1;
    for (;;) {
        do
            i++;
        while (data[i] < pivot);
        do
            j--;
        while (data[j] > pivot);
        if (i >= j)
            return j;
        swap(data[i], data[j]);
    }
}

__device__ void selection_sort(int *data, int left, int right)
{
    for (int i = left; i <= right; i++) {
        int least = i;
        for (int j = i + 1; j <= right; j++)
            if (data[j] < data[least])
                least = j;
        swap(data[i], data[least]);
    }
}
