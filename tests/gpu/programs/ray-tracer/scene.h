struct V {
    float x, y, z;
    __device__ V operator+(V o) const { return {x + o.x, y + o.y, z + o.z}; }
    __device__ V operator-(V o) const { return {x - o.x, y - o.y, z - o.z}; }
    __device__ V operator*(float f) const { return {x * f, y * f, z * f}; }
    __device__ float dot(V o) const { return x * o.x + y * o.y + z * o.z; }
};
inline __device__ V unit(V v) { return v * rsqrtf(v.dot(v)); }
struct Ray {
    V from, along;
};
struct Hit {
    float distance;
    V normal;
    float colour, mirror;
};
struct Shape {
    float colour, mirror;
    __device__ virtual bool hit(const Ray &ray, Hit *hit) const = 0;
    __device__ virtual ~Shape() {}
};
__device__ Shape *new_sphere(V centre, float radius, float colour, float mirror);
__device__ Shape *new_floor(float height);
__device__ float trace(Shape *const *scene, int count, const Ray &ray, int depth);
