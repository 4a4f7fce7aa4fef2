#include <compare>
#include <concepts>

template <typename T>
concept Shape = requires(const T &shape) {
    { shape.area() } -> std::convertible_to<float>;
    { T::sides } -> std::convertible_to<int>;
};
struct Square {
    static constexpr int sides = 4;
    float edge;
    __device__ float area() const { return edge * edge; }
};
struct Triangle {
    static constexpr int sides = 3;
    float base, height;
    __device__ float area() const;
    __device__ auto operator<=>(const Triangle &) const = default;
};
template <Shape T> __device__ __noinline__ float score(const T &shape)
{
    return shape.area() * T::sides;
}
template <int N> struct Primes {
    int at[N]{};
    consteval Primes()
    {
        for (int found = 0, n = 2; found < N; n++) {
            bool prime = true;
            for (int i = 0; i < found; i++)
                prime = prime && n % at[i];
            if (prime)
                at[found++] = n;
        }
    }
};
__device__ float total(float size);
