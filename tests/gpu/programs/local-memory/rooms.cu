__device__ int sum_of(const short *cards, int step)
{
    double weights[24];
    for (int i = 0; i < 24; i++)
        weights[i] = cards[(i * step) % 52] * 0.5;
    double sum = 0;
    for (int i = 0; i < 24; i++)
        sum += weights[(i * 11) % 24] * i;
    return (int)sum;
}
__device__ int room_of(int n)
{
    int *room = (int *)alloca(n * sizeof(int));
    for (int i = 0; i < n; i++)
        room[i] = i * n;
    return room[n / 2];
}
