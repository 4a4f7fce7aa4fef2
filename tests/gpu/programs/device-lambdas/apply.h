template <typename F> __global__ void apply(int *out, F function)
{
    out[threadIdx.x] = function(threadIdx.x);
}
template <typename F> int on_host(F function)
{
    return function(21);
}
void second_file(int *out, int factor);
__device__ int counted(int x);
