__device__ unsigned long long spread(unsigned x)
{
    unsigned long long result;
    asm("{\n"
        ".reg .pred p;\n"
        ".reg .b32 low, high;\n"
        "prmt.b32 low, %1, 0, 0x4140;\n"
        "mov.u32 high, 0;\n"
        "setp.gt.u32 p, %1, 20;\n"
        "@!p bra skip;\n"
        "xor.b32 high, low, 0xff;\n"
        "skip:\n"
        "mov.b64 %0, {low, high};\n"
        "}"
        : "=l"(result)
        : "r"(x));
    return result;
}
