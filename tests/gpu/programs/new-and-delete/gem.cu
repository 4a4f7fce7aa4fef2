#include "thing.h"

__device__ Gem::Gem(int w, int c) : Thing(w), carat(c)
{
    living += 100;
}
__device__ Gem::~Gem()
{
    living -= 100;
}
__device__ int Gem::worth() const
{
    return Thing::worth() + carat;
}
