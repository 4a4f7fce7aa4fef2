inline __device__ int total = 100;
inline __constant__ int factors[3] = {2, 3, 5};

template <typename T> __device__ int *counter()
{
    static __device__ int count = 1;
    return &count;
}
inline __device__ int ticket()
{
    static __device__ int next = 1000;
    return atomicAdd(&next, 1);
}
