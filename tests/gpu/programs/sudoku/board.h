struct Board {
    signed char cell[81];
};
__device__ bool solve(Board *board, int at, long long *steps);
__device__ unsigned allowed(const Board *board, int at);
