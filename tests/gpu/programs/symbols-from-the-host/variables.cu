__device__ int numbers[16];
__constant__ float ratio;
__device__ unsigned char bytes[3] = {'x', 'y', 'z'};
