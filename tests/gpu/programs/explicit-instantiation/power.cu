#include "matrix.h"

template <typename T> struct Size { static const int of = 3; };
template <> struct Size<long long> { static const int of = 4; };

template <typename T> __device__ T power_trace(T seed, int exponent)
{
    Matrix<T, Size<T>::of> base, result;
    base.identity();
    result.identity();
    base.at[0][1] = seed;
    base.at[1][0] = seed / 2 + 1;
    while (exponent-- > 0)
        result = result.times(base);
    return result.trace();
}
template __device__ float power_trace<float>(float, int);
template __device__ long long power_trace<long long>(long long, int);
