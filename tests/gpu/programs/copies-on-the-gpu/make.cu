#include "record.h"

__device__ Record make(int seed)
{
    Record record;
    memset(&record, 0, sizeof record);
    for (int i = 0; i < 20; i++)
        record.number[i] = seed * i;
    for (int i = 0; i < 5; i++)
        record.weight[i] = seed / (i + 1.0);
    memcpy(record.name, "record", 7);
    record.name[6] = 'a' + seed % 26;
    return record;
}
