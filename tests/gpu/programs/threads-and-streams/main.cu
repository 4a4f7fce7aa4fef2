#include "gpu.h"
#include <thread>

__global__ void work(int *out, int seed, int rounds);

int main()
{
    Array<int> out(8 * 64);
    int *at = out;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; i++)
        threads.emplace_back([=] {
            work<<<1, 64>>>(at + 64 * i, i, 100);
            work<<<1, 64>>>(at + 64 * i, i + 10, 50);
            cudaStreamSynchronize(cudaStreamPerThread);
        });
    for (std::thread &thread : threads)
        thread.join();
    FINISH();
    out.print("out");
}
