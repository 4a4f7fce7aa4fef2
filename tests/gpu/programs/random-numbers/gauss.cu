#include <curand_kernel.h>

__device__ float gauss(unsigned seed, int skip)
{
    curandStatePhilox4_32_10_t philox;
    curandStateMRG32k3a_t mrg;
    curand_init(seed, skip, 0, &philox);
    curand_init(seed, skip, 3, &mrg);
    return curand_normal(&philox) + 10 * curand_uniform(&mrg);
}
