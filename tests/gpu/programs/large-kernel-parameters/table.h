struct Table {
    int cells[2000];
    float weight;
};
__device__ int lookup(const Table &table, int i);
