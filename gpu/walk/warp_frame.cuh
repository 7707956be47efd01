// SPDX-License-Identifier: Apache-2.0
// The frame of what one warp walks for, a target group or a set of them: positions are relative to the centre of its box, in
// single precision. Nodes that are far from all of the box act on that centre, through a local expansion.
#pragma once

#include "gpu/walk/walk_arguments.hpp"
#include "gpu/walk/warp_memory.cuh"
#include "physics/acceptance.hpp"
#include "physics/walk_rules.hpp"

namespace gravlet {

/// What may be done with a node.
struct WarpDecision {
    bool far;       ///< whether it acts on the centre
    bool accepted;  ///< list it
    bool near;      ///< whether, if it is a leaf that is opened, its sources may be close to a target, or softened
};

template <int P, Softened S>
class WarpFrame {
public:
    static constexpr SofteningKernel kernel = S == Softened::spline ? SofteningKernel::spline : SofteningKernel::plummer;

    __device__ __forceinline__ WarpFrame(const WalkArguments& a, WarpMemory<P, S>& memory, const Bounds& box, double far_radius,
                                         float softening, const float* before = nullptr)
        : a_(a), m_(memory), lane_(threadIdx.x % warp_size), softening_(softening) {
        x_ = 0.5 * (box.lower.x + box.upper.x);
        y_ = 0.5 * (box.lower.y + box.upper.y);
        z_ = 0.5 * (box.lower.z + box.upper.z);
        const double slack = 1e-6 * longest_side(box);
        half_[0] = static_cast<float>(0.5 * (box.upper.x - box.lower.x) + slack);
        half_[1] = static_cast<float>(0.5 * (box.upper.y - box.lower.y) + slack);
        half_[2] = static_cast<float>(0.5 * (box.upper.z - box.lower.z) + slack);
        far_radius_ = fmaxf(static_cast<float>(far_radius), a.targets.nearest_far_node);
        for (int i = 0; i < local_terms; ++i) m_.local[i][lane_] = before != nullptr && lane_ == 0 ? before[i] : 0.0f;
    }

    __device__ __forceinline__ static float to_frame(double position, double origin) {
        return static_cast<float>(position - origin);
    }

    /// Origin of the frame as an image sees it.
    __device__ __forceinline__ Vector3 origin(int image) const {
        if (image == 0) return {x_, y_, z_};
        const Vector3 shift = a_.targets.images[image];
        return {x_ - shift.x, y_ - shift.y, z_ - shift.z};
    }

    /// Lets far nodes act on the centre, a node a lane.
    __device__ __forceinline__ void add_far(const ListEntry& entry, int n) {
        if (static_cast<int>(lane_) < n) {
            const Node node = read_whole(a_.tree.nodes[entry.index]);
            const Vector3 from = origin(entry.image);
            const float scale = far_scale(far_radius_);
            const float x = -to_frame(node.x, from.x) * scale, y = -to_frame(node.y, from.y) * scale,
                        z = -to_frame(node.z, from.z) * scale;
            float derivative[local_count];
            derivatives(
                x, y, z, rsqrtf(x * x + y * y + z * z), [](float v) { return v; }, derivative);
            const float l = node.size * scale, l2 = l * l, powers[] = {l2, l2 * l, l2 * l2};
            const float* const moments = a_.tree.moments + std::size_t{entry.index} * moment_count(P);
            add_to_local<P>(LaneLocal{&m_.local[0][lane_]}, derivative, node.mass, [&](auto m) {
                constexpr int i = decltype(m)::value, n = moment_degree(i);
                constexpr float factor = (n % 2 == 0 ? 1.0f : -1.0f) / multipole::odd_factorial(n);
                return moments[i] * (powers[n - 2] * factor);
            });
        }
        __syncwarp();
    }

    /// The sums of all lanes' columns.
    __device__ __forceinline__ void add_up_local(float (&series)[local_count]) {
        double total = 0.0;
        const unsigned row = lane_ < local_terms ? lane_ : 0;
        for (unsigned i = 0; i < warp_size; ++i) total += m_.local[row][(row + i) % warp_size];  // each lane its own bank
        __syncwarp();
        if (lane_ < local_terms) m_.local[0][lane_] = static_cast<float>(total);
        __syncwarp();
        read_series(m_.local[0], series);
    }

    /// Reads all components of a series, from those with c <= 1.
    __device__ __forceinline__ static void read_series(const float* terms, float (&series)[local_count]) {
        unrolled<local_order + 1>([&](auto degree) {
            multipole::for_components<degree.value>([&](auto k) {
                constexpr int i = local_index(k.a, k.b, k.c);
                if constexpr (k.c <= 1) series[i] = terms[LaneLocal::place(i)];
            });
        });
        complete_traces(series, 0.0f);
    }

    /// Error of a series, in its units.
    [[nodiscard]] __device__ __forceinline__ SeriesError<float> error_of(const float (&series)[local_count]) const {
        const float scale = far_scale(far_radius_);
        const float reach = sqrtf(half_[0] * half_[0] + half_[1] * half_[1] + half_[2] * half_[2]);
        return series_error(series, reach * scale, far_radius_ * scale);
    }

protected:
    /// Error, in solver units, of a series in lengths 1/scale.
    [[nodiscard]] __device__ __forceinline__ static SeriesError<double> in_solver_units(const SeriesError<float>& error,
                                                                                        float scale) {
        return SeriesError<double>{error.potential, error.field, error.tide, error.distance}.in_units(scale);
    }
    /// Memory of another of the block's warps.
    [[nodiscard]] __device__ __forceinline__ WarpMemory<P, S>& memory_of(unsigned warp) const {
        return warp_memory<P, S>(a_.tree, warp);
    }
    /// Whether a node at p, whose open distance is `open`, is far.
    [[nodiscard]] __device__ __forceinline__ bool is_far(float px, float py, float pz, float open, float softening) const {
        const float reach = open + fmaxf(far_radius_, a_.targets.far_margin * softening);
        return px * px + py * py + pz * pz > reach * reach;
    }
    /// The longer of a node's and the targets'.
    [[nodiscard]] __device__ __forceinline__ float longer_softening(const Node& node) const {
        return S == Softened::no ? 0.0f : fmaxf(softening_, node.most_softening);
    }

    const WalkArguments& a_;
    WarpMemory<P, S>& m_;
    unsigned lane_;
    double x_, y_, z_;  ///< centre of the box
    float half_[3];
    float far_radius_;  ///< added to a node's open distance: beyond, it acts on the centre
    float softening_;   ///< the longest of the targets'
};

}  // namespace gravlet
