#include "gpu.h"
#include "table.h"

__global__ void read(const __grid_constant__ Table table, int *out)
{
    out[threadIdx.x] = lookup(table, threadIdx.x);
}
__global__ void change(Table table, int first, int *out)
{
    table.cells[first + threadIdx.x] += 5;
    out[threadIdx.x] = lookup(table, first + threadIdx.x);
}

int main()
{
    static Table table;
    for (int i = 0; i < 2000; i++)
        table.cells[i] = i * 3 % 101;
    table.weight = 0.5f;
    Array<int> out(64);
    RESOURCES(read);
    RESOURCES(change);
    read<<<1, 32>>>(table, out);
    change<<<1, 32>>>(table, 100, out + 32);
    FINISH();
    out.print("out");
}
