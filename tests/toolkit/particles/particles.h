/* A small simulation whose device code lies in several files. */
#ifndef PARTICLES_H
#define PARTICLES_H

struct particle {
    float position, speed;
};

extern __device__ float attraction[16];
extern __constant__ float damping[4];
extern __device__ unsigned steps;

__device__ float force_on(const particle &p, float (*law)(float));
__device__ float spring(float distance);
__global__ void advance(particle *p, int count);
__global__ void restart(particle *p, int count);

void run(particle *p, int count);

#endif
