// The main program of those that have a single kernel, `run`.
#include "gpu.h"

extern "C" __global__ void run(int *out);

int
main()
{
    deep_stack();
    Array<int> out(1024);
    RESOURCES(run);
    run<<<1, 64, 1024>>>(out);
    FINISH();
    out.print("out");
}
