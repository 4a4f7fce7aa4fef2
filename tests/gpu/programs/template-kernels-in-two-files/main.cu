#include "gpu.h"
#include "kernels.h"

int main()
{
    Array<int> whole(128);
    Array<double> real(128);
    RESOURCES((fill<int, 2>));
    RESOURCES((fill<double, 3>));
    fill<int, 2><<<1, 64>>>(whole);
    fill<double, 3><<<1, 64>>>(real);
    from_elsewhere(whole + 64, real + 64);
    FINISH();
    whole.print("whole");
    real.print("real");
}
