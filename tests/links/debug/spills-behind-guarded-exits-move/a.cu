/* More values than registers: some are stored on the stack behind the first exit. */
extern "C" __global__ void spills(int *p)
{
    int values[32];

    if (p[0] == 3)
        asm volatile("exit;");
#pragma unroll
    for (int i = 0; i < 32; i++)
        values[i] = p[3 * i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 32; i++)
        p[i] = values[(7 * i) % 32] * values[i];
}
