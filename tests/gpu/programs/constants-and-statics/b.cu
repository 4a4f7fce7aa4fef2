__constant__ int pads[3] = {7, 8, 9};
static __device__ int base = 5;

__device__ int far(int i)
{
    switch (i % 6) {
    case 0: return pads[0] + base;
    case 1: return pads[1] * base;
    case 2: return pads[2] - base;
    case 3: return base << 3;
    case 4: return -base;
    default: return pads[i % 3];
    }
}
