#include "gpu.h"
#include "scene.h"

__global__ void build(Shape **scene)
{
    scene[0] = new_floor(-1);
    for (int i = 1; i < 6; i++)
        scene[i] = new_sphere({i - 3.f, i % 2 * 0.5f, 4.f + i % 3}, 0.7f, i * 0.15f, i % 2 * 0.5f);
}
__global__ void render(Shape **scene, unsigned char *image, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    Ray ray = {{0, 0, 0}, unit({(x - side / 2) / (float)side, (side / 2 - y) / (float)side, 1})};
    float light = trace(scene, 6, ray, 0);
    image[y * side + x] = (unsigned char)(255 * fminf(fmaxf(light, 0), 1));
}
__global__ void destroy(Shape **scene)
{
    for (int i = 0; i < 6; i++)
        delete scene[i];
}

int main()
{
    const int side = 128;
    CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
    Array<Shape *> scene(6);
    Array<unsigned char> image(side * side);
    build<<<1, 1>>>(scene);
    render<<<dim3(1, side), side>>>(scene, image, side);
    destroy<<<1, 1>>>(scene);
    FINISH();
    std::vector<unsigned char> pixels = image.read();
    for (int y = 4; y < side; y += 16) {
        for (int x = 4; x < side; x += 8)
            putchar(" .:-=+*#%@"[pixels[y * side + x] * 9 / 255]);
        putchar('\n');
    }
    image.print("image");
}
