#include "tree.h"

__device__ int walk(const Tree *tree, visitor visit)
{
    return tree ? walk(tree->left, visit) + visit(tree->key) + walk(tree->right, visit) : 0;
}
