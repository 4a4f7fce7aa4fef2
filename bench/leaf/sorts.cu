// Sorts and scans of the toolkit's own library: large kernels without calls.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

void
sort_keys(void *room, size_t &size, const unsigned *in, unsigned *out, int count)
{
    cub::DeviceRadixSort::SortKeys(room, size, in, out, count);
}

void
sort_pairs(void *room, size_t &size, const float *keys, float *sorted, const int *in, int *out,
           int count)
{
    cub::DeviceRadixSort::SortPairs(room, size, keys, sorted, in, out, count);
}

void
running_sums(void *room, size_t &size, const int *in, int *out, int count)
{
    cub::DeviceScan::ExclusiveSum(room, size, in, out, count);
}
