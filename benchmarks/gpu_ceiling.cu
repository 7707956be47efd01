// SPDX-License-Identifier: Apache-2.0
// Compiled with --use_fast_math, which makes rsqrtf() one instruction, as the walk has it.
#include "benchmarks/gpu_ceiling.hpp"

#include "benchmarks/workload/cuda_check.hpp"
#include "physics/multipole.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gravlet::bench {
namespace {

constexpr int threads_per_block = 256;
constexpr int node_count = 128;  // 18 kB of shared memory at order 4
constexpr int runs = 5;
constexpr double seconds_a_run = 0.02;

/// x, y, z, mass, and from order 2 on size and moments; whole float4s, which every lane of a warp reads at once.
template <int P>
constexpr int record_length = P < 2 ? 4 : (5 + moment_count(P) + 3) / 4 * 4;

template <int P>
constexpr int unroll = P < 2    ? 8
                       : P == 2 ? 4
                       : P == 3 ? 2
                                : 1;

/// Targets move a little every repeat, or the compiler would see that it could do the work once.
template <int P, int D, int Targets>
__global__ void __launch_bounds__(threads_per_block) act_on_targets(const float* records, int repeats, float step, float* out) {
    constexpr int vectors = record_length<P> / 4;
    __shared__ float4 shared_records[node_count * vectors];
    for (int i = threadIdx.x; i < node_count * vectors; i += threads_per_block)
        shared_records[i] = make_float4(records[4 * i], records[4 * i + 1], records[4 * i + 2], records[4 * i + 3]);
    __syncthreads();

    const int lane = static_cast<int>(blockIdx.x) * threads_per_block + static_cast<int>(threadIdx.x);
    float x[Targets], y[Targets], z[Targets];
    Jet<float, D> sums[Targets] = {};
    for (int t = 0; t < Targets; ++t) {
        const int i = lane * Targets + t;
        x[t] = 2.0f + 1e-3f * static_cast<float>(i % 1009);
        y[t] = -1.5f - 1e-3f * static_cast<float>(i % 997), z[t] = 1.75f + 1e-3f * static_cast<float>(i % 991);
    }
    for (int repeat = 0; repeat < repeats; ++repeat) {
#pragma unroll unroll < P>
        for (int n = 0; n < node_count; ++n) {
            float r[4 * vectors];
#pragma unroll
            for (int v = 0; v < vectors; ++v) {
                const float4 four = shared_records[n * vectors + v];
                r[4 * v] = four.x, r[4 * v + 1] = four.y, r[4 * v + 2] = four.z, r[4 * v + 3] = four.w;
            }
#pragma unroll
            for (int t = 0; t < Targets; ++t) {
                const float dx = x[t] - r[0], dy = y[t] - r[1], dz = z[t] - r[2];
                const float r2 = multiply_add(dx, dx, multiply_add(dy, dy, dz * dz));
                add_node<P>(
                    sums[t], dx, dy, dz, rsqrtf(r2), r[3], P < 2 ? 0.0f : r[P < 2 ? 0 : 4], [](float v) { return v; },
                    [&](auto k) { return r[5 + moment_index(k.a, k.b, k.c)]; });
            }
        }
#pragma unroll
        for (int t = 0; t < Targets; ++t) x[t] += step;
    }
    float total = 0.0f;
    for (int t = 0; t < Targets; ++t) unrolled<component_count(D)>([&](auto k) { total += sums[t].term[k]; });
    out[lane] = total;
}

/// One node a lane, on the centre of the warp's group. Nodes lie field by field, so that lanes read neighbouring words.
template <int P>
__global__ void __launch_bounds__(threads_per_block) act_on_groups(const float* fields, int repeats, float step, float* out) {
    constexpr int field_count = 4 + moment_count(P);
    __shared__ float shared_records[field_count][node_count];
    for (int i = threadIdx.x; i < field_count * node_count; i += threads_per_block) (&shared_records[0][0])[i] = fields[i];
    __syncthreads();

    const int index = static_cast<int>(blockIdx.x) * threads_per_block + static_cast<int>(threadIdx.x);
    float x = 2.0f + 1e-3f * static_cast<float>(index / 32 % 1009);
    const float y = -1.5f, z = 1.75f;
    float local[local_count] = {};
    for (int repeat = 0; repeat < repeats; ++repeat) {
#pragma unroll 1
        for (int n = static_cast<int>(threadIdx.x) % 32; n < node_count; n += 32) {
            const float dx = x - shared_records[0][n], dy = y - shared_records[1][n], dz = z - shared_records[2][n];
            const float r2 = multiply_add(dx, dx, multiply_add(dy, dy, dz * dz));
            float d[local_count];
            derivatives(
                dx, dy, dz, rsqrtf(r2), [](float v) { return v; }, d);
            add_to_local<P>(local, d, shared_records[3][n], [&](auto m) { return shared_records[4 + decltype(m)::value][n]; });
        }
        x += step;
    }
    float total = 0.0f;
    for (const float term : local) total += term;
    out[index] = total;
}

/// Device memory for the length of a measurement.
class DeviceFloats {
public:
    explicit DeviceFloats(std::size_t count) { cuda_check(cudaMalloc(&data_, count * sizeof(float)), "cudaMalloc"); }
    ~DeviceFloats() { cudaFree(data_); }
    DeviceFloats(const DeviceFloats&) = delete;
    DeviceFloats& operator=(const DeviceFloats&) = delete;
    [[nodiscard]] float* get() const { return data_; }

private:
    float* data_ = nullptr;
};

class Event {
public:
    Event() { cuda_check(cudaEventCreate(&event_), "cudaEventCreate"); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record() { cuda_check(cudaEventRecord(event_), "cudaEventRecord"); }
    [[nodiscard]] double seconds_since(const Event& begin) const {
        cuda_check(cudaEventSynchronize(event_), "cudaEventSynchronize");
        float milliseconds = 0.0f;
        cuda_check(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
        return 1e-3 * milliseconds;
    }

private:
    cudaEvent_t event_ = nullptr;
};

/// Numbers in [0, 1): the chip's power, and with it its clock, depends on the bits that toggle.
std::vector<float> arbitrary_floats(std::size_t count) {
    std::vector<float> values(count);
    std::uint32_t state = 1;
    for (float& value : values) {
        state = 1664525u * state + 1013904223u;
        value = static_cast<float>(state >> 8) * 0x1p-24f;
    }
    return values;
}

template <class Kernel>
double seconds_of(Kernel kernel, int blocks, const float* in, int repeats, float* out) {
    Event begin, end;
    begin.record();
    kernel<<<blocks, threads_per_block>>>(in, repeats, 1e-6f, out);
    cuda_check(cudaGetLastError(), "ceiling kernel");
    end.record();
    return end.seconds_since(begin);
}

/// Interactions a second, the best of a few runs. `each`: interactions of one thread in one repeat.
template <class Kernel>
double measure(Kernel kernel, int floats, double each) {
    int device = 0, processors = 0, resident = 0;
    cuda_check(cudaGetDevice(&device), "cudaGetDevice");
    cuda_check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads_per_block, 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const int blocks = processors * resident;
    const DeviceFloats in(static_cast<std::size_t>(floats)), out(static_cast<std::size_t>(blocks) * threads_per_block);
    const std::vector<float> values = arbitrary_floats(static_cast<std::size_t>(floats));
    cuda_check(cudaMemcpy(in.get(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");

    int repeats = 8;
    seconds_of(kernel, blocks, in.get(), repeats, out.get());
    const double trial = seconds_of(kernel, blocks, in.get(), repeats, out.get());
    repeats = static_cast<int>(std::clamp(repeats * seconds_a_run / trial, 8.0, 1e6));
    double best = 1e30;
    for (int run = 0; run < runs; ++run) best = std::min(best, seconds_of(kernel, blocks, in.get(), repeats, out.get()));
    return each * repeats * blocks * static_cast<double>(threads_per_block) / best;
}

template <int P, int D, int Targets>
double node_rate() {
    return measure(act_on_targets<P, D, Targets>, node_count * record_length<P>, double{Targets} * node_count);
}

template <int P, int D>
double best_node_rate() {
    return std::max({node_rate<P, D, 1>(), node_rate<P, D, 2>(), node_rate<P, D, 4>()});
}

template <int P>
void measure_order(Ceiling& ceiling) {
    ceiling.node[P] = {best_node_rate<P, 0>(), best_node_rate<P, 1>()};
    ceiling.far[P] = measure(act_on_groups<P>, node_count * (4 + moment_count(P)), node_count / 32.0);
}

}  // namespace

Ceiling measure_ceiling() {
    Ceiling ceiling;
    measure_order<2>(ceiling);  // wakes the chip's clocks; measured again below
    measure_order<0>(ceiling);
    measure_order<2>(ceiling);
    measure_order<3>(ceiling);
    measure_order<4>(ceiling);
    ceiling.node[1] = ceiling.node[0];
    ceiling.far[1] = ceiling.far[0];
    return ceiling;
}

}  // namespace gravlet::bench
