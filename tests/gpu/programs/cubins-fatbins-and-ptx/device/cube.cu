extern "C" __device__ int square(int x);
extern "C" __device__ int cube(int x)
{
    return square(x) * x % 1000;
}
