#include "gpu.h"
#include "apply.h"

int main()
{
    Array<int> out(128);
    int offset = 5;
    apply<<<1, 32>>>(out, [=] __device__(int i) { return i * 2 + offset; });
    auto both = [=] __host__ __device__(int i) { return i * i - offset; };
    apply<<<1, 32>>>(out + 32, both);
    printf("%d\n", on_host(both));
    second_file(out + 64, 9);
    FINISH();
    out.print("out", 12);
}
