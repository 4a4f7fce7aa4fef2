#include "gpu.h"

__device__ void say_numbers(int i, double x);
__device__ int say_text(const char *text);

__global__ void speak(int *out)
{
    say_numbers(-5, 0.1);
    out[0] = say_text("passed along");
    out[1] = printf("%s|%5d|%-5d|%05d|%+d\n", "main", 42, 42, 42, 42);
    out[2] = printf("%%%c%c\n", 'o', 'k');
}

int main()
{
    Array<int> out(3);
    speak<<<1, 1>>>(out);
    FINISH();
    out.print("returned");
}
