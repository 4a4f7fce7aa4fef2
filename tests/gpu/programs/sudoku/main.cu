#include "gpu.h"
#include "board.h"
#include <cstring>

__global__ void solve_all(Board *boards, long long *steps)
{
    Board board = boards[threadIdx.x];
    long long count = 0;
    if (!solve(&board, 0, &count))
        count = -1;
    boards[threadIdx.x] = board;
    steps[threadIdx.x] = count;
}

int main()
{
    const char *puzzle = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 32768));
    std::vector<Board> start(4);
    for (int i = 0; i < 4; i++)
        for (int at = 0; at < 81; at++)
            start[i].cell[at] = i && at % 9 == i ? 0 : puzzle[at] - '0';
    Array<Board> boards(start);
    Array<long long> steps(4);
    RESOURCES(solve_all);
    solve_all<<<1, 4>>>(boards, steps);
    FINISH();
    std::vector<Board> solved = boards.read();
    for (signed char digit : solved[0].cell)
        printf("%d", digit);
    printf("\n");
    steps.print("steps");
}
