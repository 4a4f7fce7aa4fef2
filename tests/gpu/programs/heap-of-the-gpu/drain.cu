#include "list.h"

__device__ int drain(Node *list)
{
    int sum = 0;
    while (list) {
        Node *next = list->next;
        sum = sum * 3 + list->value;
        free(list);
        list = next;
    }
    return sum;
}
