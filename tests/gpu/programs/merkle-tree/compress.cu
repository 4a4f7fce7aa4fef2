#include "sha.h"

extern __constant__ unsigned round_constants[64];
static __constant__ unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static __device__ unsigned turn(unsigned x, int n) { return __funnelshift_r(x, x, n); }

__device__ Digest initial()
{
    Digest digest;
    for (int i = 0; i < 8; i++)
        digest.word[i] = start[i];
    return digest;
}
__device__ void compress(Digest *state, const unsigned block[16])
{
    unsigned w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = block[i];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
    for (int i = 0; i < 8; i++)
        s[i] = state->word[i];
    for (int i = 0; i < 64; i++) {
        unsigned t1 = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + (s[4] & s[5] ^ ~s[4] & s[6]) +
                      round_constants[i] + w[i];
        unsigned t2 = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + (s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]);
        for (int k = 7; k > 0; k--)
            s[k] = s[k - 1];
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state->word[i] += s[i];
}
