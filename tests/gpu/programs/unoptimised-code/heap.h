template <typename T, int Capacity> struct Heap {
    T items[Capacity];
    int count;
    __device__ Heap() : count(0) {}
    __device__ void swap(int a, int b)
    {
        T keep = items[a];
        items[a] = items[b];
        items[b] = keep;
    }
    __device__ void push(T item)
    {
        int at = count++;
        for (items[at] = item; at && items[at] < items[(at - 1) / 2]; at = (at - 1) / 2)
            swap(at, (at - 1) / 2);
    }
    __device__ T pop()
    {
        T least = items[0];
        items[0] = items[--count];
        for (int at = 0, child; (child = 2 * at + 1) < count; at = child) {
            if (child + 1 < count && items[child + 1] < items[child])
                child++;
            if (!(items[child] < items[at]))
                break;
            swap(at, child);
        }
        return least;
    }
};
__device__ long long digest(Heap<int, 32> *heap);
