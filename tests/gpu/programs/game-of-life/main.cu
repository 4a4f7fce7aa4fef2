#include "gpu.h"
#include "life.h"

__global__ void step(const unsigned char *from, unsigned char *to, int side, int which)
{
    int i = (blockIdx.y * 16 + threadIdx.y) * side + blockIdx.x * 16 + threadIdx.x;
    int count = neighbours_of(from, side);
    to[i] = rules[which](from[i], count);
}

int main()
{
    deep_stack();
    const int side = 64;
    std::vector<unsigned char> start(side * side);
    for (int i = 0; i < side * side; i++)
        start[i] = (i * i / 7 + i % 13) % 3 == 0;
    RESOURCES(step);
    for (int which = 0; which < 3; which++) {
        Array<unsigned char> first(start), second(side * side);
        for (int i = 0; i < 20; i++)
            step<<<dim3(4, 4), dim3(16, 16)>>>(i % 2 ? second : first, i % 2 ? first : second, side, which);
        FINISH();
        first.print("world", 24);
    }
}
