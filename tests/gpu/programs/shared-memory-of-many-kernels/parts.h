__device__ int by_bytes(int i);
__device__ int by_words(int i);
__device__ double by_doubles(int i);
extern __shared__ int dynamic[];
