#include "scene.h"

namespace {
struct Sphere : Shape {
    V centre;
    float radius;
    __device__ bool hit(const Ray &ray, Hit *hit) const override
    {
        V to = ray.from - centre;
        float b = to.dot(ray.along), c = to.dot(to) - radius * radius, d = b * b - c;
        if (d < 0)
            return false;
        float distance = -b - sqrtf(d);
        if (distance < 1e-3f)
            return false;
        *hit = {distance, unit(to + ray.along * distance), colour, mirror};
        return true;
    }
};
}
__device__ Shape *new_sphere(V centre, float radius, float colour, float mirror)
{
    Sphere *sphere = new Sphere;
    sphere->centre = centre;
    sphere->radius = radius;
    sphere->colour = colour;
    sphere->mirror = mirror;
    return sphere;
}
