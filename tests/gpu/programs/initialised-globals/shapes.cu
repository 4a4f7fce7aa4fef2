#include "shapes.h"

static __device__ int line_area(const Point *) { return 0; }
static __device__ int triangle_area(const Point *p)
{
    return abs((p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y));
}
__device__ const Shape shapes[3] = {
    {"line", line_area, points, 2, nullptr},
    {"triangle", triangle_area, points + 1, 3, &shapes[0]},
    {"box", box_area, &points[4], 2, shapes + 1},
};
