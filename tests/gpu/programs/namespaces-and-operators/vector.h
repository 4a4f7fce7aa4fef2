namespace geometry {
namespace v1 {
struct Vector {
    float x, y, z;
};
__device__ Vector operator+(const Vector &a, const Vector &b);
__device__ Vector operator*(float f, const Vector &v);
__device__ float operator|(const Vector &a, const Vector &b);
__device__ Vector &operator+=(Vector &a, const Vector &b);
}
inline namespace v2 {
using v1::Vector;
__device__ float length(Vector v);
__device__ double length(double x, double y);
__device__ float length(Vector (*of)(float), float t);
}
}
extern "C" __device__ float plain_c(float x);
template <typename A, typename B> struct Pair { A a; B b; };
template <typename T> __device__ __noinline__ int depth(T)
{
    return 1;
}
template <typename A, typename B> __device__ __noinline__ int depth(Pair<A, B> pair)
{
    return 1 + depth(pair.a) + 10 * depth(pair.b);
}
