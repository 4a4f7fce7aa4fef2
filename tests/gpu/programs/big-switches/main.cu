#include "gpu.h"

__device__ int instruction(int code, int a, int b);
__device__ float shape(int kind, float x);

__global__ void interpret(const int *program, int *out)
{
    int a = threadIdx.x, b = 1;
    for (int i = 0; i < 40; i++) {
        switch (program[i] % 12) {
        case 0: a += b; break;
        case 1: b = a ^ i; break;
        case 2: a = __popc(a) + b; break;
        case 3: a = a * 3 - b; break;
        case 4: b += 17; break;
        case 5: a = instruction(i, a, b); break;
        case 6: a = __brev(a) >> 3; break;
        case 7: b = b * a + 1; break;
        case 8: a -= __clz(b | 1); break;
        case 9: b = instruction(a & 15, b, a); break;
        case 10: a = a < b ? a : b; break;
        default: a ^= b << 2; break;
        }
    }
    out[threadIdx.x] = a ^ b ^ (int)shape(threadIdx.x % 10, a);
}

int main()
{
    std::vector<int> program(40);
    for (int i = 0; i < 40; i++)
        program[i] = i * 31 % 97;
    Array<int> code(program), out(64);
    RESOURCES(interpret);
    interpret<<<1, 64>>>(code, out);
    FINISH();
    out.print("out");
}
