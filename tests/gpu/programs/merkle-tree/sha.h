struct Digest {
    unsigned word[8];
};
__device__ void compress(Digest *state, const unsigned block[16]);
__device__ Digest initial();
__global__ void leaves(const unsigned *data, Digest *tree, int count);
__global__ void level(Digest *tree, int first, int count);
