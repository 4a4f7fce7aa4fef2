__device__ double special(double x)
{
    return exp(x) + log(x) + pow(x, 2.3) + cbrt(x) + erf(x) + erfcinv(x / 3) + tgamma(x + 1) + lgamma(x + 2) + j0(x) +
           y1(x) + cyl_bessel_i0(x) + normcdf(x) + sinh(x) + acosh(x + 1) + atanh(x / 4) + remainder(x, 0.3) + jn(3, x);
}
