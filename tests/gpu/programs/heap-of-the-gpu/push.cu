#include "list.h"
#include <cassert>

__device__ Node *push(Node *list, int value)
{
    Node *node = (Node *)malloc(sizeof(Node));
    assert(node);
    node->value = value;
    node->next = list;
    return node;
}
