#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/optional>
#include <cuda/std/span>
#include <cuda/std/tuple>
#include <cuda/std/variant>

namespace cs = cuda::std;
using Value = cs::variant<int, float, cs::array<int, 3>>;
__device__ Value make_value(int i);
__device__ float weigh(const Value &value);
__device__ cs::optional<int> find(cs::span<const int> list, int wanted);
__device__ cs::tuple<int, float> divide(int a, int b);
