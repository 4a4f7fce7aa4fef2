__device__ int instruction(int code, int a, int b)
{
    switch (code & 15) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return b ? a / b : a;
    case 4: return a & b;
    case 5: return a | b;
    case 6: return a ^ b;
    case 7: return a << (b & 7);
    case 8: return a >> (b & 7);
    case 9: return __mulhi(a, b);
    case 10: return max(a, b);
    case 11: return __popc(a ^ b);
    case 12: return __clz(a);
    case 13: return __ffs(b);
    case 14: return ~a;
    default: return (int)(sqrtf((float)(a & 0xffff)) * 100);
    }
}
