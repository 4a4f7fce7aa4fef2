// Halves, doubles, functions, random numbers, bits.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void halves(const half2 *a, const half2 *b, half2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __hfma2(a[i], b[i], __hmax2(a[i], __float2half2_rn(0.5f)));
}

__global__ void half_to_float(const half *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = __half2float(in[i]) * 3;
}

__global__ void brains(const __nv_bfloat16 *in, __nv_bfloat16 *out, float scale, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __float2bfloat16(__bfloat162float(in[i]) * scale + 1);
}

__global__ void half_compare(const half *a, const half *b, int *out)
{
    int i = threadIdx.x;
    out[i] = __hgt(a[i], b[i]) + 2 * __hisnan(a[i]) + 4 * __heq(a[i], b[i]);
}

__global__ void gelu(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        out[i] = 0.5f * x * (1 + tanhf(0.797885f * (x + 0.044715f * x * x * x)));
    }
}

__global__ void functions(const float *in, float *out)
{
    float x = in[threadIdx.x];
    out[threadIdx.x] = sqrtf(x) + expf(x) * logf(x) + rsqrtf(x) + exp2f(x) + fabsf(x) + floorf(x) + powf(x, 1.5f);
}

__global__ void angles(const float *in, float2 *out)
{
    float s, c, x = in[threadIdx.x];
    __sincosf(x, &s, &c);
    out[threadIdx.x] = make_float2(s + atanf(x), c - atan2f(x, 2.0f));
}

__global__ void double_functions(const double *in, double *out)
{
    double x = in[threadIdx.x];
    out[threadIdx.x] = fma(x, x, floor(x)) + fabs(x) + rint(x * 0.5);
}

__global__ void double_polynomial(const double *x, const double *coefficients, double *out, int degree)
{
    double v = x[threadIdx.x], sum = 0;
    for (int i = degree; i >= 0; i--)
        sum = sum * v + coefficients[i];
    out[threadIdx.x] = sum;
}

__global__ void conversions(const double *d, const int *n, float *f, long long *l, unsigned char *c)
{
    int i = threadIdx.x;
    f[i] = (float)d[i] + n[i];
    l[i] = (long long)d[i] * 5 + __float2int_rd(f[i] * 0.3f);
    c[i] = (unsigned char)__float2uint_rn(f[i]);
    f[i + 32] = (float)l[i];
}

__global__ void bits(const unsigned *in, unsigned *out)
{
    unsigned x = in[threadIdx.x], y = in[threadIdx.x + 32];
    out[threadIdx.x] = __popc(x) + __clz(y) * 3 + __brev(x ^ y) + __ffs(y) + __byte_perm(x, y, 0x5140) +
                       __funnelshift_l(x, y, 7) + __vadd4(x, y) + __dp4a(x, y, 4u) + __umulhi(x, y);
}

__global__ void bits_long(const unsigned long long *in, unsigned long long *out)
{
    unsigned long long x = in[threadIdx.x];
    out[threadIdx.x] = __popcll(x) + __clzll(x) + (__brevll(x) >> 3) + __umul64hi(x, x + 1) + (x << (x & 63));
}

__global__ void divisions(const int *a, const unsigned *b, int *out)
{
    int i = threadIdx.x;
    out[i] = a[i] / (int)(b[i] + 1) + a[i] % 7 + b[i] / 10;
}

__global__ void random_numbers(unsigned *state, float *out, int n)
{
    unsigned s = state[threadIdx.x];
    for (int i = 0; i < n; i++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        out[i * blockDim.x + threadIdx.x] = s * 2.3283064e-10f;
    }
    state[threadIdx.x] = s;
}

__global__ void mersenne(unsigned *state, unsigned *out)
{
    int i = threadIdx.x;
    unsigned y = (state[i] & 0x80000000u) | (state[(i + 1) % 624] & 0x7fffffffu);
    unsigned v = state[(i + 397) % 624] ^ y >> 1 ^ (y & 1 ? 0x9908b0dfu : 0);
    __syncthreads();
    state[i] = v;
    v ^= v >> 11;
    v ^= v << 7 & 0x9d2c5680u;
    v ^= v << 15 & 0xefc60000u;
    out[i] = v ^ v >> 18;
}

__global__ void monte_carlo(unsigned long long seed, unsigned long long *hits, int tries)
{
    unsigned long long s = seed + blockIdx.x * blockDim.x + threadIdx.x, count = 0;
    for (int i = 0; i < tries; i++) {
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        float x = (unsigned)(s >> 32) * 2.3283064e-10f;
        s = s * 6364136223846793005ull + 1442695040888963407ull;
        float y = (unsigned)(s >> 32) * 2.3283064e-10f;
        count += x * x + y * y < 1;
    }
    atomicAdd(hits, count);
}

__global__ void crc(const unsigned *in, unsigned *out, int n)
{
    unsigned crc = ~0u;
    for (int i = 0; i < n; i++) {
        crc ^= in[i * 32 + threadIdx.x];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    out[threadIdx.x] = ~crc;
}

__constant__ unsigned sha_constants[64];

__global__ void sha256_block(const unsigned *message, unsigned *digest)
{
    unsigned w[16], h[8];
    for (int i = 0; i < 16; i++)
        w[i] = message[threadIdx.x * 16 + i];
    for (int i = 0; i < 8; i++)
        h[i] = digest[i];
#pragma unroll 16
    for (int i = 0; i < 64; i++) {
        unsigned s1 = __funnelshift_r(h[4], h[4], 6) ^ __funnelshift_r(h[4], h[4], 11) ^ __funnelshift_r(h[4], h[4], 25);
        unsigned t1 = h[7] + s1 + ((h[4] & h[5]) ^ (~h[4] & h[6])) + sha_constants[i] + w[i % 16];
        unsigned s0 = __funnelshift_r(h[0], h[0], 2) ^ __funnelshift_r(h[0], h[0], 13) ^ __funnelshift_r(h[0], h[0], 22);
        unsigned t2 = s0 + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
        for (int k = 7; k > 0; k--)
            h[k] = h[k - 1];
        h[4] += t1;
        h[0] = t1 + t2;
        w[i % 16] += h[3];
    }
    for (int i = 0; i < 8; i++)
        digest[8 + threadIdx.x * 8 + i] = h[i];
}

__global__ void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put, float r, float v,
                              int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
        float d1 = (__logf(s / x) + (r + 0.5f * v * v) * t) / (v * root), d2 = d1 - v * root;
        float k = 1 / (1 + 0.2316419f * fabsf(d1));
        float c1 = k * (0.31938153f + k * (-0.356563782f + k * 1.781477937f)) * __expf(-0.5f * d1 * d1);
        float c2 = k * (0.31938153f + k * -0.356563782f) * __expf(-0.5f * d2 * d2);
        call[i] = s * c1 - x * __expf(-r * t) * c2;
        put[i] = call[i] - s + x * __expf(-r * t);
    }
}
