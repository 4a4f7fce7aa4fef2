#define VISIBLE __attribute__((visibility("default")))
VISIBLE void run_first(int *out);
VISIBLE void run_second(int *out);
__device__ int next(int x);
extern __device__ int state;
