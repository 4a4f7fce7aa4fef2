#include "matrix.h"

template <typename T, int N> __device__ void Matrix<T, N>::identity()
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            at[i][j] = i == j;
}
template <typename T, int N> __device__ Matrix<T, N> Matrix<T, N>::times(const Matrix &other) const
{
    Matrix product;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            product.at[i][j] = 0;
            for (int k = 0; k < N; k++)
                product.at[i][j] += at[i][k] * other.at[k][j];
        }
    return product;
}
template <typename T, int N> __device__ T Matrix<T, N>::trace() const
{
    T sum = 0;
    for (int i = 0; i < N; i++)
        sum += at[i][i];
    return sum;
}
template struct Matrix<float, 3>;
template struct Matrix<long long, 4>;
