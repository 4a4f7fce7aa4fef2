__device__ int *fill(int n)
{
    int *list = (int *)malloc(n * sizeof(int));
    for (int i = 0; list && i < n; i++)
        list[i] = i * i;
    return list;
}
