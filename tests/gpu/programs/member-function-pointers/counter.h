struct Counter {
    int value;
    __device__ void up(int n) { value += n; }
    __device__ void down(int n);
    __device__ virtual void reset(int n);
};
typedef void (Counter::*change)(int);
__device__ change choose(int i);
typedef int (*operation)(int, int);
__device__ operation of_name(char name);
template <typename T> __device__ __noinline__ T add(T a, T b) { return a + b; }
__device__ int subtract(int a, int b);
