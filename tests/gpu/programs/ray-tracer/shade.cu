#include "scene.h"

static __device__ V sun = {0.5f, 0.7f, -0.5f};

__device__ float shade(Shape *const *scene, int count, const Ray &ray, const Hit &hit, int depth)
{
    float light = hit.colour * (0.2f + 0.8f * fmaxf(0, hit.normal.dot(unit(sun))));
    if (depth >= 3 || hit.mirror == 0)
        return light;
    V at = ray.from + ray.along * hit.distance;
    Ray mirrored = {at, ray.along - hit.normal * (2 * ray.along.dot(hit.normal))};
    return light * (1 - hit.mirror) + hit.mirror * trace(scene, count, mirrored, depth + 1);
}
