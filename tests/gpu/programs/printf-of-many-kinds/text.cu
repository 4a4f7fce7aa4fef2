#include <cstdio>

__device__ const char greeting[] = "greeting in global memory";
static __device__ const char *const names[] = {"zero", "one", "two"};

__device__ int say_text(const char *text)
{
    for (int i = 0; i < 3; i++)
        printf("%d is %s\n", i, names[i]);
    printf("%s\n", greeting);
    return printf("%.6s %20s|%-20s|\n", text, text, text);
}
