// Products of small matrices by a warp.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <typename IN, typename OUT>
__global__ void multiply_fragments(const IN *a, const IN *b, OUT *c, int n)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, IN, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, IN, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, OUT> sum;
    wmma::fill_fragment(sum, OUT(0.0f));
    for (int k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(x, a + blockIdx.y * 16 * n + k, n);
        wmma::load_matrix_sync(y, b + blockIdx.x * 16 * n + k, n);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, sum, n, wmma::mem_row_major);
}
template __global__ void multiply_fragments<half, float>(const half *, const half *, float *, int);
template __global__ void multiply_fragments<half, half>(const half *, const half *, half *, int);
template __global__ void multiply_fragments<__nv_bfloat16, float>(const __nv_bfloat16 *, const __nv_bfloat16 *, float *, int);
template __global__ void multiply_fragments<signed char, int>(const signed char *, const signed char *, int *, int);

__global__ void multiply_doubles(const double *a, const double *b, double *c, int n)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> y;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
    wmma::fill_fragment(sum, 0.0);
    for (int k = 0; k < n; k += 4) {
        wmma::load_matrix_sync(x, a + k, n);
        wmma::load_matrix_sync(y, b + k * n, n);
        wmma::mma_sync(sum, x, y, sum);
    }
    wmma::store_matrix_sync(c, sum, n, wmma::mem_row_major);
}

__global__ void multiply_from_shared(const half *a, const half *b, float *c, int n)
{
    __shared__ half x[64][24], y[64][24];
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    int warp = threadIdx.x / 32;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) {
            x[i / 16][i % 16] = a[(blockIdx.y * 64 + i / 16) * n + k + i % 16];
            y[i / 16][i % 16] = b[(blockIdx.x * 64 + i / 16) * n + k + i % 16];
        }
        __syncthreads();
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
        wmma::load_matrix_sync(fa, &x[warp * 16][0], 24);
        wmma::load_matrix_sync(fb, &y[warp * 16][0], 24);
        wmma::mma_sync(sum, fa, fb, sum);
        __syncthreads();
    }
    wmma::store_matrix_sync(c + warp * 256, sum, 16, wmma::mem_row_major);
}

__global__ void one_product(const unsigned *a, const unsigned *b, float *c)
{
    unsigned t = threadIdx.x;
    float d[4] = {c[t], c[t + 32], c[t + 64], c[t + 96]};
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[t]), "r"(a[t + 32]), "r"(a[t + 64]), "r"(a[t + 96]), "r"(b[t]), "r"(b[t + 32]));
    for (int i = 0; i < 4; i++)
        c[t + 32 * i] = d[i];
}

__global__ void load_matrices(const half *in, unsigned *out)
{
    __shared__ alignas(16) half tile[16 * 16];
    for (int i = threadIdx.x; i < 256; i += 32)
        tile[i] = in[i];
    __syncthreads();
    unsigned r[4], address = (unsigned)__cvta_generic_to_shared(tile + (threadIdx.x % 16) * 16 + threadIdx.x / 16 * 8);
    asm("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
        : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
        : "r"(address));
    for (int i = 0; i < 4; i++)
        out[threadIdx.x + 32 * i] = r[i];
}
