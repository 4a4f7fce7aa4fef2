__device__ int lined(int x)
{
    int value = x;
    while (value > 9)
        value = value / 10 + value % 10;
    return value;
}
