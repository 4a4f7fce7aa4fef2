#include "gpu.h"

__managed__ int counter = 5;
extern __managed__ double weights[4];
extern __managed__ int *shared_list;
__global__ void work();
void prepare();

int main()
{
    prepare();
    counter += 10;
    weights[2] = 0.25;
    work<<<2, 32>>>();
    FINISH();
    printf("%d %g %g %g\n", counter, weights[0], weights[2], weights[3]);
    printf("checksum %08x\n", checksum(shared_list, 64 * sizeof(int)));
}
