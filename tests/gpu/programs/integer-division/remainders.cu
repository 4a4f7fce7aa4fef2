__device__ unsigned long long remainders(unsigned long long a, unsigned long long b)
{
    return a / b ^ a % b ^ (unsigned long long)((float)(a >> 40) / (float)(b >> 3));
}
__device__ unsigned long long wide(unsigned long long a, unsigned long long b)
{
    unsigned __int128 product = (unsigned __int128)a * b + 12345;
    __int128 other = -(__int128)(product >> 3);
    return (unsigned long long)(product / (b * b + 1)) + (unsigned long long)(product % 1000000007) + (unsigned long long)(other / 97);
}
