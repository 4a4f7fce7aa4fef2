#include "gpu.h"
#include <curand_kernel.h>

__device__ float gauss(unsigned seed, int skip);

__global__ void draw(unsigned *whole, float *real)
{
    curandStateXORWOW_t state;
    curand_init(1234, threadIdx.x, 7, &state);
    whole[threadIdx.x] = curand(&state) ^ curand_poisson(&state, 6.5);
    real[threadIdx.x] = gauss(99, threadIdx.x);
}

int main()
{
    Array<unsigned> whole(64);
    Array<float> real(64);
    draw<<<1, 64>>>(whole, real);
    FINISH();
    whole.print("whole", 4);
    real.print("real", 4);
}
