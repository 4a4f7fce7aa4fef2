#include "vector.h"

namespace geometry {
namespace v1 {
__device__ Vector operator+(const Vector &a, const Vector &b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ Vector operator*(float f, const Vector &v) { return {f * v.x, f * v.y, f * v.z}; }
__device__ float operator|(const Vector &a, const Vector &b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ Vector &operator+=(Vector &a, const Vector &b) { return a = a + b; }
}
}
