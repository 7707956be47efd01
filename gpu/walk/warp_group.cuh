// SPDX-License-Identifier: Apache-2.0
// One warp's target group: its frame, its sums, and the arithmetic on what a walk has listed for it. 32 nodes or sources are
// staged in shared memory by a lane each, and every lane lets all of them act on its own one or two targets. Nodes that are far
// from the whole group act on its centre instead, a node a lane.
//
// Positions are relative to the group's centre, in single precision. Pairs so close that this shows, a target with itself among
// them, are put aside and done one by one in double. Sums run in single precision over a list and are then added up in double.
#pragma once

#include "gpu/walk/walk.hpp"
#include "gpu/walk/warp_memory.cuh"
#include "physics/close_pair.hpp"
#include "physics/walk_rules.hpp"

namespace gravlet {

template <int P, int D, Softened S, int T>
class WarpGroup {
public:
    static constexpr int components = component_count(D);
    static constexpr SofteningKernel kernel = S == Softened::spline ? SofteningKernel::spline : SofteningKernel::plummer;

    /// With the usual far radius, or a longer one.
    __device__ __forceinline__ WarpGroup(const WalkArguments& a, WarpMemory<P, S>& memory, const Group& g, float least_far_radius)
        : a_(a), m_(memory), lane_(threadIdx.x % warp_size), begin_(g.begin), end_(g.begin + g.count), softening_(g.softening) {
        x_ = 0.5 * (g.box.lower.x + g.box.upper.x);
        y_ = 0.5 * (g.box.lower.y + g.box.upper.y);
        z_ = 0.5 * (g.box.lower.z + g.box.upper.z);
        const double sx = g.box.upper.x - g.box.lower.x, sy = g.box.upper.y - g.box.lower.y, sz = g.box.upper.z - g.box.lower.z;
        const double side = fmax(sx, fmax(sy, sz)), slack = 1e-6 * side;
        half_[0] = static_cast<float>(0.5 * sx + slack);
        half_[1] = static_cast<float>(0.5 * sy + slack);
        half_[2] = static_cast<float>(0.5 * sz + slack);
        far_radius_ = fmaxf(static_cast<float>(gravlet::far_radius(a.targets, g)), fmaxf(nearest_far_node, least_far_radius));
        // Single precision relative to the group resolves 2^-24 of its radius: distances above 1/8 of it keep 21 bits.
        gap_ = static_cast<float>(fmax(side * gpu_gap_sides, nearest_single_precision));
        for (int k = 0; k < T; ++k) {
            const Source& body = a.targets.bodies[target(k)];
            t_[k] = {to_frame(body.x, x_), to_frame(body.y, y_), to_frame(body.z, z_), softening_factor(body.softening)};
            sums_[k] = {};
        }
        for (int i = 0; i < local_terms; ++i) m_.local[i][lane_] = 0.0f;
    }

    __device__ __forceinline__ static float to_frame(double position, double origin) {
        return static_cast<float>(position - origin);
    }

    /// Where the frame is as an image sees it.
    __device__ __forceinline__ Vector3 origin(int image) const {
        if (image == 0) return {x_, y_, z_};
        const Vector3 shift = a_.targets.images[image];
        return {x_ - shift.x, y_ - shift.y, z_ - shift.z};
    }

    /// Lanes beyond the last target repeat it, and store nothing.
    __device__ __forceinline__ std::size_t target(int k) const {
        const std::size_t i = begin_ + lane_ + k * warp_size;
        return i < end_ ? i : end_ - 1;
    }

    /// Lets far nodes act on the group's centre, a node a lane.
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

    /// Lets nodes act on the targets.
    __device__ __forceinline__ void add_nodes(const ListEntry& entry, int n) {
        using Staged = StagedNode<P>;
        {
            float* const to = m_.staged + lane_ * Staged::length;
            const Node node = read_whole(a_.tree.nodes[entry.index]);
            const Vector3 from = origin(entry.image);
            to[0] = to_frame(node.x, from.x), to[1] = to_frame(node.y, from.y), to[2] = to_frame(node.z, from.z);
            to[3] = node.mass;
            to[Staged::size] = node.size;
            if constexpr (S == Softened::plummer) {
                const auto [mean2, least2, span2, slope, curve] = softening_of(node);
                const float rows[] = {mean2, least2, span2, slope, curve, node.spread};
                for (int r = 0; r < 6; ++r) m_.staged_softening[r][lane_] = rows[r];
            }
            const float* const moments = a_.tree.moments + std::size_t{entry.index} * moment_count(P);
            for (int i = 0; i < moment_count(P); ++i) to[Staged::moments + i] = moments[i];
        }
        __syncwarp();
        Jet<float, D> sums[T] = {};
        for (int i = 0; i < n; ++i) {
            float record[Staged::length];
            const float4* const from = reinterpret_cast<const float4*>(m_.staged + i * Staged::length);
#pragma unroll
            for (int q = 0; q < Staged::length / 4; ++q) {
                const float4 four = from[q];
                record[4 * q] = four.x, record[4 * q + 1] = four.y, record[4 * q + 2] = four.z, record[4 * q + 3] = four.w;
            }
#pragma unroll
            for (int k = 0; k < T; ++k) {
                const float x = t_[k].x - record[0], y = t_[k].y - record[1], z = t_[k].z - record[2];
                const float r2 = x * x + y * y + z * z;
                float mass = record[3], r_inverse;
                const auto number = [](float v) { return v; };
                if constexpr (S == Softened::plummer) {
                    const auto row = [&](int r) { return m_.staged_softening[r][i]; };
                    const float own2 = t_[k].softening * t_[k].softening;
                    // One length is what most nodes have.
                    const float softening2 =
                        row(2) == 0.0f ? fmaxf(own2, row(0))
                                       : node_softening2(own2, NodeSoftening<float>{row(0), row(1), row(2), row(3), row(4)});
                    r_inverse = rsqrtf(r2 + softening2);
                    const float part = soften_extent(mass, r_inverse, softening2, row(5));
                    add_extent_tide(sums[k], x, y, z, r_inverse, mass, part, number);
                } else {
                    r_inverse = rsqrtf(r2);
                }
                add_node<P>(sums[k], x, y, z, r_inverse, mass, record[Staged::size], number,
                            [&](auto c) { return record[Staged::moments + moment_index(c.a, c.b, c.c)]; });
            }
        }
        add_up(sums);
    }

    /// Lets sources act on the targets. Near: some may be close, or softened.
    template <bool Near>
    __device__ __forceinline__ void add_sources(const ListEntry& entry, int n) {
        {
            const Source source = read_whole(a_.tree.sources[entry.index]);
            const Vector3 from = origin(entry.image);
            reinterpret_cast<float4*>(m_.staged)[lane_] = {to_frame(source.x, from.x), to_frame(source.y, from.y),
                                                           to_frame(source.z, from.z), source.mass};
            if constexpr (Near && S != Softened::no) m_.staged_softening[0][lane_] = softening_factor(source.softening);
            if constexpr (Near)
                m_.staged_index[lane_] = entry.index, m_.staged_image[lane_] = static_cast<std::uint8_t>(entry.image);
        }
        __syncwarp();
        Jet<float, D> sums[T] = {};
        unsigned close[T] = {};  // bit i: source i is close to target k
        const float close2 = gap_ * gap_;
#pragma unroll 4
        for (int i = 0; i < n; ++i) {
            const float4 s = reinterpret_cast<const float4*>(m_.staged)[i];
#pragma unroll
            for (int k = 0; k < T; ++k) {
                const float x = t_[k].x - s.x, y = t_[k].y - s.y, z = t_[k].z - s.z;
                const float d2 = x * x + y * y + z * z;
                bool apart = true;
                if constexpr (Near) {
                    apart = d2 > close2;
                    if (!apart) close[k] |= 1u << i;
                }
                if constexpr (Near && S == Softened::spline) {
                    const float factor = fminf(t_[k].softening, m_.staged_softening[0][i]);  // of the larger support
                    if (apart && d2 * factor * factor < 1.0f) {
                        add_softened(sums[k], x, y, z, s.w, spline_law(d2, factor));
                        continue;
                    }
                }
                float r2 = d2;
                if constexpr (Near && S == Softened::plummer) {
                    const float softening = fmaxf(t_[k].softening, m_.staged_softening[0][i]);
                    r2 += softening * softening;
                }
                const float r_inverse = apart ? rsqrtf(r2) : 0.0f;
                add_node<0>(
                    sums[k], x, y, z, r_inverse, s.w, 1.0f, [](float v) { return v; }, 0);
            }
        }
        if constexpr (Near) {
            for (int k = 0; k < T; ++k)
                for (; close[k] != 0; close[k] &= close[k] - 1) add_close_pair(k, __ffs(close[k]) - 1);
        }
        add_up(sums);
    }

    /// Evaluates the local expansion at the targets, which completes their sums. If it was not good enough these are worthless,
    /// and this is what the far radius must be; 0: it was.
    __device__ __forceinline__ float add_local() {
        double total = 0.0;
        const unsigned row = lane_ < local_terms ? lane_ : 0;
        for (unsigned i = 0; i < warp_size; ++i) total += m_.local[row][(row + i) % warp_size];  // each lane its own bank
        __syncwarp();
        if (lane_ < local_terms) m_.local[0][lane_] = static_cast<float>(total);
        __syncwarp();
        float series[local_count];
        unrolled<local_order + 1>([&](auto degree) {
            multipole::for_components<degree.value>([&](auto k) {
                constexpr int i = local_index(k.a, k.b, k.c);
                if constexpr (k.c <= 1) series[i] = m_.local[0][LaneLocal::place(i)];
            });
        });
        complete_traces(series, 0.0f);
        const auto coefficient = [&](auto k) {
            constexpr float ways = 1.0f / multipole::factorials(k.a, k.b, k.c);
            return series[local_index(k.a, k.b, k.c)] * ways;
        };
        const float scale = far_scale(far_radius_);
        const float reach = sqrtf(half_[0] * half_[0] + half_[1] * half_[1] + half_[2] * half_[2]);
        const SeriesError<float> error = series_error(series, reach * scale, far_radius_ * scale);
        for (int k = 0; k < T; ++k) {
            Jet<float, D> sum =
                evaluate_polynomial<local_order, 0, D>(t_[k].x * scale, t_[k].y * scale, t_[k].z * scale, coefficient);
            float unit = scale;
            unrolled<D + 1>([&](auto degree) {
                unrolled<components_of(degree.value)>([&](auto c) { sum.term[first_component(degree.value) + c] *= unit; });
                unit *= scale;
            });
            add_to_sums(k, sum);
        }
        return needed_far_radius(SeriesError<double>{error.potential, error.field, error.tide, error.distance}.in_units(scale));
    }

    /// Of the block's warps, which walk for one group, the first gets what all have: sums and local expansions. In the order of
    /// the warps, so that the bits are the same every time.
    __device__ __forceinline__ void gather() {
        static_assert(components * sizeof(double) <= StagedNode<P>::length * sizeof(float));
        const auto staged = [&](unsigned of, int c) -> double& {
            return reinterpret_cast<double*>(warp_memory<P, S>(a_.tree, of).staged)[c * warp_size + lane_];
        };
        for (int k = 0; k < T; ++k) {
            unrolled<components>([&](auto c) { staged(this_warp(), c) = sums_[k].term[c]; });
            __syncthreads();
            for (unsigned other = 1; other < warps_per_block && this_warp() == 0; ++other)
                unrolled<components>([&](auto c) { sums_[k].term[c] += staged(other, c); });
            __syncthreads();
        }
        for (unsigned other = 1; other < warps_per_block && this_warp() == 0; ++other)
            for (int i = 0; i < local_terms; ++i) m_.local[i][lane_] += warp_memory<P, S>(a_.tree, other).local[i][lane_];
        __syncwarp();
    }

    __device__ __forceinline__ void store() {
        for (int k = 0; k < T; ++k) {
            const std::size_t i = begin_ + lane_ + k * warp_size;
            if (i < end_) unrolled<components>([&](auto c) { a_.targets.sums.of[c][i] += sums_[k].term[c]; });
        }
    }

    __device__ __forceinline__ void count_coincident() {
        for (int k = 0; k < T; ++k)
            if (coincident_[k] != 0 && begin_ + lane_ + k * warp_size < end_)
                atomicAdd(&a_.counters->coincident, static_cast<unsigned long long>(coincident_[k]));
    }

protected:
    const WalkArguments& a_;
    WarpMemory<P, S>& m_;
    unsigned lane_;
    std::size_t begin_, end_;  ///< targets
    double x_, y_, z_;         ///< centre of the group's box
    float half_[3];
    float far_radius_;  ///< added to a node's open radius: beyond, it acts on the group's centre
    float gap_;         ///< a pair farther apart than this is not close: single precision is enough
    float softening_;   ///< the longest of the targets'

private:
    struct Target {
        float x, y, z;
        float softening;  ///< softening_factor()
    };

    /// By which pairs find their law: lengths, or one over the spline's supports.
    __device__ __forceinline__ static float softening_factor(float length) {
        return S == Softened::spline ? inverse_support(length) : length;
    }

    __device__ __forceinline__ void add_close_pair(int k, int staged) {
        const std::size_t i = target(k);
        const std::uint32_t index = m_.staged_index[staged];
        const int image = m_.staged_image[staged];
        if (target_of(a_.tree, index, image) == static_cast<std::uint32_t>(i)) return;
        Jet<double, D> sum{};
        if (!add_pair(sum, a_.targets.bodies[i], a_.tree.sources[index], displacement(a_.targets, image), kernel))
            ++coincident_[k];
        add_to_sums(k, sum);
    }

    template <class Real>
    __device__ __forceinline__ void add_to_sums(int k, const Jet<Real, D>& sum) {
        unrolled<components>([&](auto c) { sums_[k].term[c] += sum.term[c]; });
    }

    __device__ __forceinline__ void add_up(const Jet<float, D> (&sums)[T]) {
        for (int k = 0; k < T; ++k) add_to_sums(k, sums[k]);
        __syncwarp();
    }

    __device__ __forceinline__ static double least_of_lanes(double value) {
        for (int distance = warp_size / 2; distance > 0; distance /= 2)
            value = fmin(value, __shfl_xor_sync(~0u, value, distance));
        return value;
    }

    /// In double: in a crowd the square of a field is beyond single precision.
    __device__ __forceinline__ float needed_far_radius(const SeriesError<double>& error) const {
        const double mass = a_.tree.nodes[a_.tree.root].mass;
        SeriesScale<double> least;
        for (int k = 0; k < T; ++k) least.take(sums_[k], mass);
        least.potential = least_of_lanes(least.potential);
        if constexpr (D > 0) least.field = least_of_lanes(least.field);
        if constexpr (D > 1) least.tide = least_of_lanes(least.tide);
        const double missing = missing_distance<D>(error, least, a_.targets.series_limits);
        return missing > 1.0 ? static_cast<float>(longer_far_radius<double>(far_radius_, error, missing)) : 0.0f;
    }

    Target t_[T];
    Jet<double, D> sums_[T];
    int coincident_[T] = {};
};

}  // namespace gravlet
