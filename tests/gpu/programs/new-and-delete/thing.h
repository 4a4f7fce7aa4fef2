extern __device__ int living, made;
struct Thing {
    int id, weight;
    __device__ explicit Thing(int weight = 1);
    __device__ virtual ~Thing();
    __device__ virtual int worth() const;
};
struct Gem : Thing {
    int carat;
    __device__ Gem(int weight, int carat);
    __device__ ~Gem() override;
    __device__ int worth() const override;
};
