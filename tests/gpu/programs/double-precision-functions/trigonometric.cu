__device__ double trigonometric(double x)
{
    double s, c;
    sincos(x, &s, &c);
    return sin(x) + 2 * cos(x) + tan(x) / 100 + atan2(s, c) + sinpi(x) + asin(s) + hypot(s, x) + fmod(x, 3.3);
}
