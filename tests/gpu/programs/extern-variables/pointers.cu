extern __device__ int open_array[10];
__device__ int *middle = open_array + 5;
__constant__ int *const_pointer = &open_array[7];
