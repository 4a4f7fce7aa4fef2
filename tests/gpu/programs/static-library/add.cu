__device__ int bias = 5;
__device__ int add(int a, int b)
{
    return a + b + bias;
}
