__device__ __noinline__ void fill(char *into, int n)
{
    for (int i = 0; i < n; i++)
        into[n - 1 - i] = i * i;
}
__device__ int reverse_sum(int n)
{
    char cells[20];
    fill(cells, n);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 2 + cells[i];
    return sum;
}
