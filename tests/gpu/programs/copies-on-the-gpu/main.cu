#include "gpu.h"
#include "record.h"

__global__ void fill(Record *records)
{
    store(&records[threadIdx.x], twice(make(threadIdx.x)));
}

__global__ void sum(const Record *records, double *out)
{
    const Record &mine = records[threadIdx.x];
    double total = mine.name[3];
    for (int number : mine.number)
        total += number;
    for (double weight : mine.weight)
        total += weight;
    out[threadIdx.x] = total;
}

int main()
{
    Array<Record> records(32);
    Array<double> out(32);
    fill<<<1, 32>>>(records);
    sum<<<1, 32>>>(records, out);
    FINISH();
    out.print("sums");
    std::vector<Record> copy = records.read();
    printf("%s, checksum %08x\n", copy[9].name, checksum(copy.data(), copy.size() * sizeof(Record)));
}
