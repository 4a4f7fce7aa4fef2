#define TEN(do, n) do(n##0) do(n##1) do(n##2) do(n##3) do(n##4) do(n##5) do(n##6) do(n##7) do(n##8) do(n##9)
#define ALL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(8) do(9) TEN(do, 1) TEN(do, 2) TEN(do, 3) \
    TEN(do, 4) TEN(do, 5) TEN(do, 6) TEN(do, 7) TEN(do, 8) TEN(do, 9) do(100) do(101)
#define DECLARE(n) __device__ int function_##n(int x);
#define TAKE(n) function_##n,

ALL(DECLARE)
extern __device__ int (*const table[102])(int) = {ALL(TAKE)};
