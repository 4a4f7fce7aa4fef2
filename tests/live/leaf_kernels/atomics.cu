// Atomic operations, locks, fences, queues.
#define OPERATION(name, type, expression)                                                          \
    __global__ void name(type *p, const type *in, type *out)                                       \
    {                                                                                              \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                             \
        type value = in[i];                                                                        \
        out[i] = expression;                                                                       \
    }
OPERATION(atomic_add_int, int, atomicAdd(p + (value & 7), value))
OPERATION(atomic_sub, unsigned, atomicSub(p, value))
OPERATION(atomic_min, int, atomicMin(p + i, value))
OPERATION(atomic_max_long, long long, atomicMax(p, value))
OPERATION(atomic_and, unsigned, atomicAnd(p, value))
OPERATION(atomic_or_long, unsigned long long, atomicOr(p, value))
OPERATION(atomic_xor, unsigned, atomicXor(p + 3, value))
OPERATION(atomic_exchange, float, atomicExch(p, value))
OPERATION(atomic_increment, unsigned, atomicInc(p, value))
OPERATION(atomic_decrement, unsigned, atomicDec(p, value))
OPERATION(atomic_cas_short, unsigned short, atomicCAS(p, value, (unsigned short)(value + 1)))
OPERATION(atomic_cas_long, unsigned long long, atomicCAS(p, value, value * 3))
OPERATION(atomic_add_double, double, atomicAdd(p, value))
OPERATION(atomic_add_float, float, atomicAdd(p, value))
OPERATION(atomic_add_system, int, atomicAdd_system(p, value))
OPERATION(atomic_add_block, int, atomicAdd_block(p, value))

__global__ void atomic_product(float *p, const float *in)
{
    unsigned *bits = (unsigned *)p, old = *bits, assumed;
    float factor = in[threadIdx.x];
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_uint(factor * __uint_as_float(assumed)));
    } while (assumed != old);
}

__global__ void lock_and_add(int *lock, int *value)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        *value += blockIdx.x;
        __threadfence();
        atomicExch(lock, 0);
    }
}

__global__ void ticket(volatile unsigned *turn, unsigned *next, int *value)
{
    unsigned mine = atomicAdd(next, 1);
    while (*turn != mine)
        __nanosleep(20);
    *value += 1;
    __threadfence_system();
    *turn = mine + 1;
}

__global__ void produce(int *data, volatile int *flag)
{
    data[threadIdx.x] = threadIdx.x * 3;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        *flag = 1;
}

__global__ void consume(const int *data, volatile int *flag, int *out)
{
    while (*flag == 0)
        ;
    __threadfence();
    out[threadIdx.x] = data[threadIdx.x];
}

__global__ void publish(int *data, int *flag)
{
    data[threadIdx.x] = clock();
    __threadfence_block();
    atomicExch(flag + threadIdx.x, 1);
}

__global__ void grid_barrier(unsigned *count, int *data, int rounds)
{
    for (int r = 0; r < rounds; r++) {
        data[blockIdx.x * blockDim.x + threadIdx.x] += r;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            atomicAdd(count, 1);
            while (*(volatile unsigned *)count < (r + 1) * gridDim.x)
                ;
            __threadfence();
        }
        __syncthreads();
    }
}

__global__ void push(const int *in, int *queue, int *tail, int limit, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] != 0) {
        int slot = atomicAdd(tail, 1);
        if (slot < limit)
            queue[slot] = in[i];
        else
            atomicSub(tail, 1);
    }
}

__global__ void shared_atomics(const int *in, int *out)
{
    __shared__ int most, least, sum;
    __shared__ unsigned bits;
    if (threadIdx.x == 0)
        most = -1, least = 1 << 30, sum = 0, bits = 0;
    __syncthreads();
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    atomicMax(&most, v);
    atomicMin(&least, v);
    atomicAdd(&sum, v);
    atomicOr(&bits, 1u << (v & 31));
    __syncthreads();
    if (threadIdx.x == 0) {
        out[4 * blockIdx.x] = most;
        out[4 * blockIdx.x + 1] = least;
        out[4 * blockIdx.x + 2] = sum;
        out[4 * blockIdx.x + 3] = bits;
    }
}

__global__ void relax(const int *from, const int *to, const int *weight, int *distance, int *changed, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < edges) {
        int d = distance[from[e]];
        if (d < 1 << 29 && atomicMin(&distance[to[e]], d + weight[e]) > d + weight[e])
            *changed = 1;
    }
}
