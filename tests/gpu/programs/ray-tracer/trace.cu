#include "scene.h"

__device__ float shade(Shape *const *scene, int count, const Ray &ray, const Hit &hit, int depth);

__device__ float trace(Shape *const *scene, int count, const Ray &ray, int depth)
{
    Hit nearest = {1e9f, {0, 0, 0}, 0, 0};
    for (int i = 0; i < count; i++) {
        Hit hit;
        if (scene[i]->hit(ray, &hit) && hit.distance < nearest.distance)
            nearest = hit;
    }
    if (nearest.distance > 1e8f)
        return 0.3f + 0.3f * ray.along.y;
    return shade(scene, count, ray, nearest, depth);
}
