__device__ int mix(int x, int round)
{
    return (x * 31 + round) % 65521;
}
