#include "table.h"

__device__ int lookup(const Table &table, int i)
{
    return (int)(table.cells[i * 37 % 2000] * table.weight) + table.cells[i];
}
