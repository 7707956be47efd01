// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_draw.hpp"

#include "benchmarks/workload/cuda_check.hpp"

#include <curand_kernel.h>

namespace gravlet::bench {
namespace {

constexpr int threads_per_block = 256;
constexpr unsigned long long seed = 20140613;
constexpr double mass_kept = 0.999;

struct Draws {
    double a, b, c;  // each in (0, 1]
};

__device__ Draws draw(std::uint64_t index) {
    curandStatePhilox4_32_10_t state;
    curand_init(seed, index, 0, &state);
    const double2 two = curand_uniform2_double(&state);
    return {two.x, two.y, curand_uniform2_double(&state).x};
}

__device__ double mirrored(double value, int sign) { return sign == 0 ? value : copysign(value, static_cast<double>(sign)); }

struct Three {
    double x, y, z;
};

__global__ void box_kernel(Three lower, Three side, std::uint64_t first, std::size_t n, double* x, double* y, double* z) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Draws u = draw(first + i);
    x[i] = lower.x + (1.0 - u.a) * side.x;
    y[i] = lower.y + (1.0 - u.b) * side.y;
    z[i] = lower.z + (1.0 - u.c) * side.z;
}

/// M(r) = r^3 / (r^2 + 1)^(3/2), solved for r.
__global__ void plummer_kernel(int sign_x, int sign_y, int sign_z, std::uint64_t first, std::size_t n, double* x, double* y,
                               double* z) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Draws u = draw(first + i);
    const double root = cbrt(mass_kept * u.a);
    const double radius = root / sqrt(1.0 - root * root);
    const double cosine = 2.0 * u.b - 1.0;
    const double across = radius * sqrt(1.0 - cosine * cosine);
    double s = 0.0, c = 0.0;
    sincospi(2.0 * u.c, &s, &c);
    x[i] = mirrored(across * c, sign_x);
    y[i] = mirrored(across * s, sign_y);
    z[i] = mirrored(radius * cosine, sign_z);
}

unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + threads_per_block - 1) / threads_per_block); }

void finish() {
    cuda_check(cudaGetLastError(), "point kernel");
    cuda_check(cudaDeviceSynchronize(), "point kernel");
}

}  // namespace

void draw_box(const std::array<double, 3>& lower, const std::array<double, 3>& upper, std::uint64_t first, std::size_t n,
              double* x, double* y, double* z) {
    if (n == 0) return;
    const Three side{upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2]};
    box_kernel<<<blocks_for(n), threads_per_block>>>({lower[0], lower[1], lower[2]}, side, first, n, x, y, z);
    finish();
}

void draw_plummer(const std::array<int, 3>& signs, std::uint64_t first, std::size_t n, double* x, double* y, double* z) {
    if (n == 0) return;
    plummer_kernel<<<blocks_for(n), threads_per_block>>>(signs[0], signs[1], signs[2], first, n, x, y, z);
    finish();
}

}  // namespace gravlet::bench
