__global__ void leaf(int *sums, int node);

__global__ void tree(int *sums, int node, int depth)
{
    atomicAdd(&sums[node], depth);
    if (depth == 0)
        leaf<<<1, 32>>>(sums, node);
    else
        for (int side = 0; side < 2; side++)
            tree<<<1, 1>>>(sums, 2 * node + side, depth - 1);
}
