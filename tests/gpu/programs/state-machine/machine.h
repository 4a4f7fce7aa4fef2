struct Machine;
struct State {
    State (*next)(Machine *);
};
struct Machine {
    const char *input;
    int words, numbers, position;
};
__device__ State blank(Machine *machine);
__device__ State word(Machine *machine);
__device__ State number(Machine *machine);
__device__ State stop(Machine *machine);
