#include "gpu.h"

void launch(int *out);

int main()
{
    deep_stack();
    Array<int> out(32);
    launch(out);
    FINISH();
    out.print("out", 10);
}
