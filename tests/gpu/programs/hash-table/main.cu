#include "gpu.h"
#include "table.h"

__global__ void insert_all(Table table, int which, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        insert(table, hashes[which], i * 7919u % 1500);
}
__global__ void find_all(Table table, int which, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = find(table, hashes[which], i);
}

int main()
{
    deep_stack();
    for (int which = 0; which < 2; which++) {
        Array<unsigned> keys(std::vector<unsigned>(4096, EMPTY)), counts(4096), out(2048);
        Table table = {keys, counts, 4096};
        insert_all<<<16, 128>>>(table, which, 20000);
        find_all<<<16, 128>>>(table, which, out);
        FINISH();
        out.print("counts");
    }
}
