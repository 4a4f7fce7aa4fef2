#include "gpu.h"
#include <thrust/device_vector.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

unsigned reduced(thrust::device_vector<unsigned> &numbers);
extern __device__ unsigned scramble(unsigned x);

struct Scramble {
    __device__ unsigned operator()(unsigned x) const { return scramble(x); }
};

int main()
{
    thrust::device_vector<unsigned> numbers(5000);
    thrust::sequence(numbers.begin(), numbers.end());
    thrust::transform(numbers.begin(), numbers.end(), numbers.begin(), Scramble());
    printf("%u\n", reduced(numbers));
    thrust::sort(numbers.begin(), numbers.end());
    std::vector<unsigned> copy(numbers.size());
    thrust::copy(numbers.begin(), numbers.end(), copy.begin());
    printf("%u %u %u, checksum %08x\n", copy[0], copy[2500], copy[4999], checksum(copy.data(), copy.size() * 4));
}
