template <typename T, int N> struct Matrix {
    T at[N][N];
    __device__ void identity();
    __device__ Matrix times(const Matrix &other) const;
    __device__ T trace() const;
};
extern template struct Matrix<float, 3>;
extern template struct Matrix<long long, 4>;
template <typename T> __device__ T power_trace(T seed, int exponent);
extern template __device__ float power_trace<float>(float, int);
extern template __device__ long long power_trace<long long>(long long, int);
