#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

unsigned reduced(thrust::device_vector<unsigned> &numbers)
{
    thrust::device_vector<unsigned> sums(numbers.size());
    thrust::exclusive_scan(numbers.begin(), numbers.end(), sums.begin());
    return thrust::reduce(sums.begin(), sums.end(), 0u, [] __host__ __device__(unsigned a, unsigned b) { return a ^ b; });
}
