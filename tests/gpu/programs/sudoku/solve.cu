#include "board.h"

__device__ bool solve(Board *board, int at, long long *steps)
{
    while (at < 81 && board->cell[at])
        at++;
    if (at == 81)
        return true;
    for (unsigned choices = allowed(board, at); choices; choices &= choices - 1) {
        ++*steps;
        board->cell[at] = __ffs(choices) - 1;
        if (solve(board, at + 1, steps))
            return true;
    }
    board->cell[at] = 0;
    return false;
}
