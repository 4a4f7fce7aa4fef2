struct Record {
    int number[20];
    double weight[5];
    char name[12];
};
__device__ Record make(int seed);
__device__ Record twice(Record record);
__device__ void store(Record *to, const Record &from);
