#include <cstdio>

__device__ void say_numbers(int i, double x)
{
    printf("%d %u %x %o %lld %llx\n", i, (unsigned)i, i, i, (long long)i * 1000000007, (unsigned long long)i);
    printf("%f %e %g %a %.3f %10.2f|%-10.2f|\n", x, x, x, x, x * 3, x, x);
    printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6,
           i + 7, i + 8, i + 9, i + 10, i + 11, i + 12, i + 13, i + 14, i + 15, i + 16, i + 17, i + 18, i + 19);
}
