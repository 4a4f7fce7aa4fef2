#include "gpu.h"
#include "thing.h"
#include <new>

__device__ int living, made;

__global__ void use(int *out)
{
    Thing *one = new Thing(5), *gem = new Gem(2, 9);
    Thing *many = new Thing[7];
    alignas(Gem) unsigned char room[sizeof(Gem)];
    Gem *placed = new (room) Gem(3, 4);
    out[0] = one->worth() + 10 * gem->worth() + 1000 * placed->worth();
    for (int i = 0; i < 7; i++)
        out[1] += many[i].worth() * many[i].id;
    out[2] = living;
    placed->~Gem();
    delete one;
    delete gem;
    delete[] many;
    out[3] = living;
    out[4] = made;
}

int main()
{
    deep_stack();
    Array<int> out(5);
    use<<<1, 1>>>(out);
    FINISH();
    out.print("out");
}
