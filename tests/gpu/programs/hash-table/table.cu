#include "table.h"

__device__ static unsigned slot(Table table, hash function, unsigned key)
{
    unsigned at = function(key) % table.size;
    while (table.keys[at] != key && table.keys[at] != EMPTY)
        at = (at + 1) % table.size;
    return at;
}
__device__ void insert(Table table, hash function, unsigned key)
{
    for (;;) {
        unsigned at = slot(table, function, key), old = atomicCAS(&table.keys[at], EMPTY, key);
        if (old == EMPTY || old == key) {
            atomicAdd(&table.counts[at], 1);
            return;
        }
    }
}
__device__ unsigned find(Table table, hash function, unsigned key)
{
    unsigned at = slot(table, function, key);
    return table.keys[at] == key ? table.counts[at] : 0;
}
