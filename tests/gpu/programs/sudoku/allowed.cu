#include "board.h"

__device__ unsigned allowed(const Board *board, int at)
{
    unsigned used = 0;
    int row = at / 9, column = at % 9, box = row / 3 * 27 + column / 3 * 3;
    for (int i = 0; i < 9; i++) {
        used |= 1u << board->cell[row * 9 + i];
        used |= 1u << board->cell[i * 9 + column];
        used |= 1u << board->cell[box + i / 3 * 9 + i % 3];
    }
    return ~used & 0x3fe;
}
