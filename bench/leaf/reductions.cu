// Reductions, selections and histograms of the toolkit's own library.
#include <cub/device/device_histogram.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

void
sum(void *room, size_t &size, const float *in, float *out, int count)
{
    cub::DeviceReduce::Sum(room, size, in, out, count);
}

void
least(void *room, size_t &size, const double *in, cub::KeyValuePair<int, double> *out, int count)
{
    cub::DeviceReduce::ArgMin(room, size, in, out, count);
}

void
distinct(void *room, size_t &size, const int *in, int *out, int *selected, int count)
{
    cub::DeviceSelect::Unique(room, size, in, out, selected, count);
}

void
runs(void *room, size_t &size, const int *in, int *values, int *lengths, int *found, int count)
{
    cub::DeviceRunLengthEncode::Encode(room, size, in, values, lengths, found, count);
}

void
histogram(void *room, size_t &size, const unsigned char *in, int *bins, int count)
{
    cub::DeviceHistogram::HistogramEven(room, size, in, bins, 257, 0, 256, count);
}
