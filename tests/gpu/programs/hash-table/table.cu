#include "table.h"

__device__ static unsigned slot(Table table, hash function, unsigned key)
{
    unsigned at = function(key) % table.size;
    /* One look at each: between two another thread may put the key there. */
    for (unsigned seen; (seen = table.keys[at]) != key && seen != EMPTY;)
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
