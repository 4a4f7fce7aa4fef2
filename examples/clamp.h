/*
 * A template that every file of the example uses. Each object gets its own
 * copy of clamp<float>, as a weak function; the linker keeps one of them.
 */
#pragma once

template <typename T>
__device__ __noinline__ T
clamp(T value, T low, T high)
{
    return value < low ? low : value > high ? high : value;
}
