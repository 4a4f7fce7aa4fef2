#include "filter.h"

__device__ float Chain::apply(float x) const
{
    Polynomial<1> one(3);
    Polynomial<2> two(0.125f);
    const Filter *a = first ? first : &one, *b = second ? second : &two;
    return b->apply(a->apply(x));
}
