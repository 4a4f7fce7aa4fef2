__device__ long long collatz(long long n)
{
    return n % 2 ? 3 * n + 1 : n / 2;
}
