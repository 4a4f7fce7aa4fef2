struct Point {
    int x, y;
    constexpr __host__ __device__ Point(int a, int b) : x(a), y(b) {}
};
struct Shape {
    const char *name;
    int (*area)(const Point *);
    const Point *points;
    int count;
    const Shape *inner;
};
extern __device__ const Point points[6];
extern __device__ const Shape shapes[3];
extern __device__ const Shape *const favourite;
__device__ int box_area(const Point *points);
