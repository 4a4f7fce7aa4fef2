// What the programs share: checked calls, memory of the GPU, and output that is the same on every run.
#pragma once
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess) {                                                              \
            printf("%s: %s\n", #call, cudaGetErrorName(status_));                                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

// Ends a phase of kernels: errors of the launch and of the run.
#define FINISH()                                                                                   \
    do {                                                                                           \
        CHECK(cudaGetLastError());                                                                 \
        CHECK(cudaDeviceSynchronize());                                                            \
    } while (0)

inline unsigned
checksum(const void *data, size_t size)
{
    unsigned hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ static_cast<const unsigned char *>(data)[i]) * 16777619u;
    return hash;
}

// Recursion and calls through pointers: the driver cannot know how much stack they take.
inline void deep_stack()
{
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
}

// An array in the GPU's memory, zero at first.
template <typename T> class Array
{
  public:
    explicit Array(size_t count) : count_(count)
    {
        CHECK(cudaMalloc(&data_, count * sizeof(T)));
        CHECK(cudaMemset(data_, 0, count * sizeof(T)));
    }
    explicit Array(const std::vector<T> &from) : Array(from.size())
    {
        CHECK(cudaMemcpy(data_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    Array(const Array &) = delete;
    ~Array()
    {
        cudaFree(data_);
    }
    operator T *()
    {
        return data_;
    }
    size_t size() const
    {
        return count_;
    }

    std::vector<T> read() const
    {
        std::vector<T> copy(count_);
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(copy.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
        return copy;
    }

    // The first values and a checksum of all.
    void print(const char *name, size_t first = 6) const
    {
        std::vector<T> copy = read();
        printf("%s:", name);
        for (size_t i = 0; i < count_ && i < first; i++)
            printf(" %.9g", static_cast<double>(copy[i]));
        printf(", checksum %08x\n", checksum(copy.data(), count_ * sizeof(T)));
    }

  private:
    T *data_ = nullptr;
    size_t count_;
};

// The resources of a kernel, as the linker recorded them.
template <typename Kernel>
void
print_resources(const char *name, Kernel *kernel)
{
    cudaFuncAttributes found;
    CHECK(cudaFuncGetAttributes(&found, kernel));
    printf("%s: %d registers, %zu shared, %zu local, %zu constant, at most %d threads, %d and %d\n",
           name, found.numRegs, found.sharedSizeBytes, found.localSizeBytes, found.constSizeBytes,
           found.maxThreadsPerBlock, found.ptxVersion, found.binaryVersion);
}
#define RESOURCES(kernel) print_resources(#kernel, kernel)
