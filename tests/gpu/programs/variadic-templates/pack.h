template <typename... T> struct Pack;
template <> struct Pack<> {
    __host__ __device__ int sum() const { return 0; }
};
template <typename Head, typename... Tail> struct Pack<Head, Tail...> {
    Head head;
    Pack<Tail...> tail;
    __host__ __device__ int sum() const { return int(head) + 2 * tail.sum(); }
};
template <typename... T> __device__ __noinline__ long long product(T... values)
{
    return (1LL * ... * values);
}
template <typename... T> __global__ void fold(long long *out, T... values)
{
    out[threadIdx.x] = product(values...) + ((values < threadIdx.x) + ...) + sizeof...(T);
}
template <int... Numbers> __global__ void weigh(long long *out)
{
    int i = 0, sum = 0;
    ((sum += Numbers * ++i), ...);
    out[threadIdx.x] = sum + threadIdx.x;
}
void more(long long *out);
__device__ int packed(int x);
