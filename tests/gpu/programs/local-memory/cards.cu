__device__ int sum_of(const short *cards, int step);

__device__ int shuffle_cards(int seed)
{
    short cards[52];
    for (int i = 0; i < 52; i++)
        cards[i] = i;
    for (int i = 51; i > 0; i--) {
        seed = seed * 1103515245 + 12345;
        int j = (unsigned)seed / 65536 % (i + 1);
        short keep = cards[i];
        cards[i] = cards[j];
        cards[j] = keep;
    }
    return sum_of(cards, 5);
}
