extern "C" __device__ int elsewhere(int x)
{
    return 3 * x;
}
