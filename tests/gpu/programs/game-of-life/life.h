typedef bool (*rule)(bool alive, int neighbours);
__device__ int neighbours_of(const unsigned char *world, int side);
template <int Birth, int Survival> __device__ bool masked(bool alive, int neighbours)
{
    return ((alive ? Survival : Birth) >> neighbours) & 1;
}
extern __device__ const rule rules[3];
