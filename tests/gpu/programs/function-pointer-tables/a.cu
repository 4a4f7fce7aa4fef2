typedef int (*step)(int);
extern __device__ step steps[3];
extern __constant__ step last;

extern "C" __global__ void run(int *out)
{
    int value = threadIdx.x;
    for (int i = 0; i < 3; i++)
        value = steps[(i + threadIdx.x) % 3](value);
    out[threadIdx.x] = last(value);
}
