#include "gpu.h"
#include "sha.h"

__global__ void grow(const unsigned *data, Digest *tree, int count)
{
    leaves<<<1, count>>>(data, tree, count);
    int first = 0;
    for (; count > 1; first += count, count /= 2)
        level<<<1, count / 2>>>(tree, first, count);
}

int main()
{
    std::vector<unsigned> words(64 * 16);
    for (size_t i = 0; i < words.size(); i++)
        words[i] = i * 2654435761u;
    Array<unsigned> data(words);
    Array<Digest> tree(127);
    grow<<<1, 1>>>(data, tree, 64);
    FINISH();
    for (unsigned word : tree.read()[126].word)
        printf("%08x", word);
    printf("\n");
}
