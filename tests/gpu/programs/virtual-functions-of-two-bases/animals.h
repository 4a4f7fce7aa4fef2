struct Walker {
    int legs;
    __device__ virtual int walk(int n) = 0;
    __device__ virtual ~Walker() {}
};
struct Swimmer {
    int fins;
    __device__ virtual int swim(int n) = 0;
    __device__ virtual int rest() { return fins; }
    __device__ virtual ~Swimmer() {}
};
struct Duck : Walker, Swimmer {
    __device__ Duck();
    __device__ int walk(int n) override;
    __device__ int swim(int n) override;
};
struct Otter : Duck {
    __device__ Otter();
    __device__ int swim(int n) override;
    __device__ int rest() override;
};
__device__ int exercise(Walker *walker, Swimmer *swimmer, int n);
