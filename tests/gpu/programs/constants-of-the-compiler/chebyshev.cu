__device__ double chebyshev(double x)
{
    const double table[8] = {0.98765432101, 1.2345678902, -0.55555555553, 0.77777777774,
                             3.1415926535, -2.7182818286, 1.4142135627, 0.5772156648};
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum = sum * x + table[(i * 3 + (int)(x * 64)) % 8];
    return sum;
}
