struct Node {
    int value;
    Node *next;
};
__device__ Node *push(Node *list, int value);
__device__ int drain(Node *list);
