// Files that do not know the specialisations of others instantiate these, weakly.
template <int N> __device__ __noinline__ int step(int x)
{
    return x + N;
}
__device__ int use_steps(int x);
