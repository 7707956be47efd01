// SPDX-License-Identifier: Apache-2.0
// One warp's target group: its sums, and the arithmetic on what a walk has listed for it. Records of
// 32 nodes or sources are written to shared memory by a lane each, and every lane lets all of them act on its own one or two
// targets; or, where a group has 16 or fewer, lanes share a target and each has a part of the records.
//
// Pairs so close that single precision shows, a target with itself among them, are put aside and done one by one in double. Sums
// run in single precision over a list and are then added up in double.
#pragma once

#include "gpu/walk/warp_frame.cuh"
#include "physics/close_pair.hpp"

namespace gravlet {

template <int P, int D, Softened S, int T>
class WarpGroup : public WarpFrame<P, S> {
    using Frame = WarpFrame<P, S>;

protected:
    using Frame::a_, Frame::m_, Frame::lane_, Frame::x_, Frame::y_, Frame::z_, Frame::half_, Frame::far_radius_;
    using Frame::to_frame, Frame::origin;

public:
    static constexpr bool has_targets = true;
    static constexpr int components = component_count(D);
    using Frame::kernel;

    /// A group's walk with the usual far radius, or a longer one.
    __device__ __forceinline__ WarpGroup(const WalkArguments& a, WarpMemory<P, S>& memory, const WalkedGroup& walked)
        : WarpGroup(a, memory, walked, a.targets.groups[walked.group]) {}

    [[nodiscard]] __device__ __forceinline__ std::uint32_t limit() const { return a_.list_limit; }

    /// Extents: the criterion knows nodes'.
    template <bool Extents>
    [[nodiscard]] __device__ __forceinline__ WarpDecision decide(const Node& node, float px, float py, float pz) const {
        const float gx = fmaxf(px - half_[0], 0.0f), gy = fmaxf(py - half_[1], 0.0f), gz = fmaxf(pz - half_[2], 0.0f);
        const float to_box = gx * gx + gy * gy + gz * gz;
        const float softening = this->longer_softening(node), beyond = open_margin(kernel) * softening,
                    open = open_distance(node, group().factor, Extents ? a_.targets.extents : 0.0f),
                    least = fmaxf(open + beyond, gap_);
        const float close = fmaxf(gap_, sqrtf(node.mass * close2_of_mass_)),
                    sources_within = cube_diagonal * node.size + close + beyond;  // of the centre of mass
        WarpDecision out;
        out.far = this->is_far(px, py, pz, open, softening);
        out.accepted =
            !out.far && (node.count == 0 || ((node.leaf == 0 || node.count > cheap_leaf(P)) && to_box > least * least));
        out.near = S == Softened::plummer || to_box <= sources_within * sources_within;
        return out;
    }

    /// Place of its set's entries, and the image that one is of.
    [[nodiscard]] __device__ __forceinline__ std::size_t first_entry() const { return set() * a_.set_entries; }
    [[nodiscard]] __device__ __forceinline__ int image_of(std::size_t entry) const {
        return a_.set_images != nullptr ? a_.set_images[entry] : 0;
    }

    /// Whether it has begun where its set ended, not at the root. By a vote: else the compiler would not know it to be alike in
    /// all lanes, and would have every later vote provide for a diverged warp.
    [[nodiscard]] __device__ __forceinline__ bool has_begun() const {
        return __any_sync(~0u, a_.sets != nullptr && a_.sets[set()].entries != no_set);
    }

    /// A lane's among the group's.
    [[nodiscard]] __device__ __forceinline__ std::uint32_t place(int k) const {
        return T == 1 ? lane_ % width() : lane_ + static_cast<unsigned>(k) * warp_size;
    }
    [[nodiscard]] __device__ __forceinline__ bool is_target(int k) const { return place(k) < count_; }
    /// Lanes beyond the last target repeat it, and store nothing.
    __device__ __forceinline__ std::size_t target(int k) const { return begin_ + (is_target(k) ? place(k) : count_ - 1u); }
    /// One lane of those that share a target.
    [[nodiscard]] __device__ __forceinline__ bool is_first(int k) const { return is_target(k) && part() == 0; }

    /// Lanes that have different targets; the number of lanes that share one, and this one's number among them.
    [[nodiscard]] __device__ __forceinline__ unsigned width() const { return T == 1 ? width_ : warp_size; }
    [[nodiscard]] __device__ __forceinline__ int parts() const { return T == 1 ? static_cast<int>(warp_size / width_) : 1; }
    [[nodiscard]] __device__ __forceinline__ int part() const { return T == 1 ? static_cast<int>(lane_ / width_) : 0; }

    /// Lets nodes act on the targets.
    __device__ __forceinline__ void add_nodes(const ListEntry& entry, int n) {
        using Record = NodeRecord<P>;
        {
            float* const to = m_.records + lane_ * Record::length;
            const Node node = read_whole(a_.tree.nodes[entry.index]);
            const Vector3 from = origin(entry.image);
            to[0] = to_frame(node.x, from.x), to[1] = to_frame(node.y, from.y), to[2] = to_frame(node.z, from.z);
            to[3] = node.mass;
            to[Record::size] = node.size;
            if constexpr (S == Softened::plummer) {
                const auto [mean2, least2, span2, slope, curve] = softening_of(node);
                const float rows[] = {mean2, least2, span2, slope, curve, node.spread};
                for (int r = 0; r < 6; ++r) m_.record_softening[r][lane_] = rows[r];
            }
            const float* const moments = a_.tree.moments + std::size_t{entry.index} * moment_count(P);
            for (int i = 0; i < moment_count(P); ++i) to[Record::moments + i] = moments[i];
        }
        __syncwarp();
        Jet<float, D> sums[T] = {};
        for (int i = part(); i < n; i += parts()) {
            float record[Record::length];
            const float4* const from = reinterpret_cast<const float4*>(m_.records + i * Record::length);
#pragma unroll
            for (int q = 0; q < Record::length / 4; ++q) {
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
                    const auto row = [&](int r) { return m_.record_softening[r][i]; };
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
                add_node<P>(sums[k], x, y, z, r_inverse, mass, record[Record::size], number,
                            [&](auto c) { return record[Record::moments + moment_index(c.a, c.b, c.c)]; });
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
            reinterpret_cast<float4*>(m_.records)[lane_] = {to_frame(source.x, from.x), to_frame(source.y, from.y),
                                                            to_frame(source.z, from.z), source.mass};
            if constexpr (Near && S != Softened::no) m_.record_softening[0][lane_] = softening_factor<S>(source.softening);
            if constexpr (Near)
                m_.record_index[lane_] = entry.index, m_.record_image[lane_] = static_cast<std::uint8_t>(entry.image);
        }
        __syncwarp();
        Jet<float, D> sums[T] = {};
        unsigned close[T] = {};  // bit i: source i is close to target k
        const float close2 = gap_ * gap_;
#pragma unroll 4
        for (int i = part(); i < n; i += parts()) {
            const float4 s = reinterpret_cast<const float4*>(m_.records)[i];
#pragma unroll
            for (int k = 0; k < T; ++k) {
                const float x = t_[k].x - s.x, y = t_[k].y - s.y, z = t_[k].z - s.z;
                const float d2 = x * x + y * y + z * z;
                bool apart = true;
                if constexpr (Near) {
                    apart = d2 > fmaxf(close2, s.w * close2_of_mass_);
                    if (!apart) close[k] |= 1u << i;
                }
                float r2 = d2;
                if constexpr (Near && S != Softened::no) {
                    const float own = t_[k].softening, other = m_.record_softening[0][i];
                    if (apart && add_within_spline<S>(sums[k], x, y, z, d2, s.w, own, other)) continue;
                    r2 = softened_square<S>(d2, own, other);
                }
                const float r_inverse = apart ? rsqrtf(r2) : 0.0f;
                add_source(sums[k], x, y, z, r_inverse, s.w);
            }
        }
        if constexpr (Near) {
            for (int k = 0; k < T; ++k)
                for (; close[k] != 0; close[k] &= close[k] - 1) add_close_pair(k, __ffs(close[k]) - 1);
        }
        add_up(sums);
    }

    /// Gives all lanes that share a target what each of them has.
    __device__ __forceinline__ void add_up_parts() {
        if constexpr (T == 1)
            for (unsigned distance = width(); distance < warp_size; distance *= 2)
                unrolled<components>([&](auto c) {
                    double& sum = sums_[0].term[c];
                    sum += __shfl_xor_sync(~0u, sum, distance);
                });
    }

    /// Evaluates the local expansion at the targets, which completes their sums. If it was not good enough these are worthless,
    /// and this is what the far radius must be; 0: it was.
    __device__ __forceinline__ float add_local() {
        float series[local_count];
        this->add_up_local(series);
        const auto coefficient = [&](auto k) {
            constexpr float ways = 1.0f / multipole::factorials(k.a, k.b, k.c);
            return series[local_index(k.a, k.b, k.c)] * ways;
        };
        const float scale = far_scale(far_radius_);
        const SeriesError<float> error = this->error_of(series);
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
        SeriesError<double> in_all = Frame::in_solver_units(error, scale);
        if (has_begun()) in_all.add(a_.sets[set()].error);
        return needed_far_radius(in_all);
    }

    /// Gives the first of the block's warps, which walk for one group, what all have: sums and local expansions. In the order of
    /// the warps, so that the bits are the same every time.
    __device__ __forceinline__ void gather() {
        static_assert(components * sizeof(double) <= NodeRecord<P>::length * sizeof(float));
        const auto sum_of = [&](unsigned of, int c) -> double& {
            return reinterpret_cast<double*>(warp_memory<P, S>(a_.tree, of).records)[c * warp_size + lane_];
        };
        for (int k = 0; k < T; ++k) {
            unrolled<components>([&](auto c) { sum_of(this_warp(), c) = sums_[k].term[c]; });
            __syncthreads();
            for (unsigned other = 1; other < warps_per_block && this_warp() == 0; ++other)
                unrolled<components>([&](auto c) { sums_[k].term[c] += sum_of(other, c); });
            __syncthreads();
        }
        for (unsigned other = 1; other < warps_per_block && this_warp() == 0; ++other)
            for (int i = 0; i < local_terms; ++i) m_.local[i][lane_] += warp_memory<P, S>(a_.tree, other).local[i][lane_];
        __syncwarp();
    }

    __device__ __forceinline__ void store() {
        for (int k = 0; k < T; ++k) {
            const std::size_t i = begin_ + place(k);
            if (is_first(k)) unrolled<components>([&](auto c) { a_.targets.sums.of[c][i] += sums_[k].term[c]; });
        }
    }

    __device__ __forceinline__ void count_coincident() {
        for (int k = 0; k < T; ++k)
            if (coincident_[k] != 0 && is_target(k))
                atomicAdd(&a_.counters->coincident, static_cast<unsigned long long>(coincident_[k]));
    }

protected:
    /// The group, read again where it is needed: registers are few.
    [[nodiscard]] __device__ __forceinline__ const Group& group() const { return a_.targets.groups[group_]; }

    /// The number of its set.
    [[nodiscard]] __device__ __forceinline__ std::size_t set() const { return (group_ - a_.first_group) / gpu_set_groups; }

    std::uint32_t group_, begin_, count_;
    unsigned width_ = warp_size;

private:
    struct Target {
        float x, y, z;
        float softening;  ///< softening_factor()
    };

    __device__ __forceinline__ WarpGroup(const WalkArguments& a, WarpMemory<P, S>& memory, const WalkedGroup& walked,
                                         const Group& g)
        : Frame(a, memory, g.box, fmax(gravlet::far_radius(a.targets, g), walked.far_radius), g.softening,
                a.sets != nullptr ? a.set_local[walked.group - a.first_group].terms : nullptr),
          group_(walked.group),
          begin_(g.begin),
          count_(g.count) {
        if constexpr (T == 1)
            while (width_ >= 2 * count_ && width_ > 1) width_ /= 2;
        // Single precision relative to the group resolves 2^-24 of its radius: distances above 1/8 of it keep 21 bits.
        gap_ = static_cast<float>(fmax(longest_side(g.box) * gpu_gap_sides, nearest_single_precision));
        float mass = 0.0f;
        for (int k = 0; k < T; ++k) {
            const Source& body = a.targets.bodies[target(k)];
            if (is_first(k)) mass += body.mass;
            t_[k] = {to_frame(body.x, x_), to_frame(body.y, y_), to_frame(body.z, z_), softening_factor<S>(body.softening)};
            sums_[k] = {};
        }
        const float side = fmaxf(g.side, static_cast<float>(longest_side(g.box)));
        mass = sum_of_lanes(mass) * large_pulls;
        close2_of_mass_ = mass > 0.0f ? side * side / mass : static_cast<float>(a.targets.close2_of_mass);
        if (lane_ == 0 && a.targets.pieces.side > 0.0) m_.piece = piece_of(a.targets.pieces, g);
        if (lane_ == 0 && a.sets != nullptr) m_.entries_left = a.sets[set()].entries;
        __syncwarp();  // all lanes read these
    }

    __device__ __forceinline__ void add_close_pair(int k, int record) {
        const std::size_t i = target(k);
        const std::uint32_t index = m_.record_index[record];
        const int image = m_.record_image[record];
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

    __device__ __forceinline__ static float sum_of_lanes(float value) {
        for (int distance = warp_size / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(~0u, value, distance);
        return value;
    }
    __device__ __forceinline__ static double least_of_lanes(double value) {
        for (int distance = warp_size / 2; distance > 0; distance /= 2)
            value = fmin(value, __shfl_xor_sync(~0u, value, distance));
        return value;
    }

    /// Least far radius for an error, in double: in a crowd the square of a field is beyond single precision.
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

    /// Pairs are done in double where one alone pulls by more than this times what the whole group would from one of its sides.
    static constexpr float large_pulls = 48.0f;

    float gap_;             ///< a pair farther apart than this is not close: single precision is enough
    float close2_of_mass_;  ///< a pair nearer than the root of this times the source's mass is close too
    Target t_[T];
    Jet<double, D> sums_[T];
    int coincident_[T] = {};
};

}  // namespace gravlet
