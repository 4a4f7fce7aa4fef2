__global__ void add(int *to, int value);
__global__ void scale(int *to, int factor);
