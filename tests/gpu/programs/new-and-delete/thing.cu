#include "thing.h"

__device__ Thing::Thing(int w) : id(made++), weight(w)
{
    living++;
}
__device__ Thing::~Thing()
{
    living--;
}
__device__ int Thing::worth() const
{
    return weight;
}
