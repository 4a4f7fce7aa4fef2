#include "gpu.h"

__global__ void even_step(int *log, int step);

int main()
{
    Array<int> log(64);
    even_step<<<1, 32>>>(log, 0);
    FINISH();
    log.print("log", 40);
}
