// SPDX-License-Identifier: Apache-2.0
// One warp's set of target groups, neighbours along the curve, which walks the upper part of the tree for all of them: what is
// far from the whole set acts on its centre, what every group would open is opened, and all else is left to the groups.
#pragma once

#include "gpu/walk/warp_frame.cuh"

namespace gravlet {

/// What the groups of a set have in common.
struct SetMeasures {
    Bounds box,
        inner;  ///< the latter from the highest of their lower corners to the lowest of their upper ones: it may be inside out
    double far_sides = 0.0;  ///< the most
    float softening = 0.0f;  ///< the longest
    float least_factor = INFINITY, most_factor = 0.0f;
    Vector3 piece{};
    bool in_one_piece = true;  ///< whether all groups are in one piece of a periodic box
};

/// The lanes' groups; lanes that have none repeat another's.
__device__ __forceinline__ SetMeasures measure_set(const WalkArguments& a, std::size_t set) {
    const WalkTargets& targets = a.targets;
    const std::size_t first = a.first_group + set * gpu_set_groups, left = a.walked_count - set * gpu_set_groups,
                      lane = threadIdx.x % gpu_set_groups;
    const Group& group = targets.groups[first + (lane < left ? lane : left - 1)];
    SetMeasures m;
    m.box = m.inner = group.box;
    m.far_sides = gravlet::far_sides(targets, group);
    m.softening = group.softening;
    m.least_factor = m.most_factor = group.factor;
    for (unsigned distance = 1; distance < gpu_set_groups; distance *= 2) {
        const auto other = [=](auto value) { return __shfl_xor_sync(~0u, value, distance); };
        const auto least = [=](double value) { return fmin(value, other(value)); };
        const auto most = [=](double value) { return fmax(value, other(value)); };
        const Bounds &b = m.box, &i = m.inner;
        m.box = {{least(b.lower.x), least(b.lower.y), least(b.lower.z)}, {most(b.upper.x), most(b.upper.y), most(b.upper.z)}};
        m.inner = {{most(i.lower.x), most(i.lower.y), most(i.lower.z)}, {least(i.upper.x), least(i.upper.y), least(i.upper.z)}};
        m.far_sides = fmax(m.far_sides, other(m.far_sides));
        m.softening = fmaxf(m.softening, other(m.softening));
        m.least_factor = fminf(m.least_factor, other(m.least_factor));
        m.most_factor = fmaxf(m.most_factor, other(m.most_factor));
    }
    if (targets.pieces.side == 0.0) return m;
    m.piece = piece_of(targets.pieces, targets.groups[first]);
    const Vector3 own = piece_of(targets.pieces, group);
    m.in_one_piece = __all_sync(~0u, own.x == m.piece.x && own.y == m.piece.y && own.z == m.piece.z);
    return m;
}

template <int P, Softened S>
class WarpSet : public WarpFrame<P, S> {
    using Frame = WarpFrame<P, S>;

protected:
    using Frame::a_, Frame::m_, Frame::lane_;

public:
    static constexpr bool has_targets = false;

    __device__ __forceinline__ WarpSet(const WalkArguments& a, WarpMemory<P, S>& memory, std::size_t set)
        : WarpSet(a, memory, set, measure_set(a, set)) {}

    [[nodiscard]] __device__ __forceinline__ std::uint32_t limit() const { return a_.set_entries; }

    /// A node is accepted, that is left to the groups, unless none of them can do anything but open it.
    template <bool Extents>
    [[nodiscard]] __device__ __forceinline__ WarpDecision decide(const Node& node, float px, float py, float pz) const {
        const float extents = Extents ? a_.targets.extents : 0.0f;
        const float x = fmaxf(px - inner_[0], 0.0f), y = fmaxf(py - inner_[1], 0.0f), z = fmaxf(pz - inner_[2], 0.0f);
        const float to_farthest = x * x + y * y + z * z, least = open_distance(node, least_factor_, extents);
        WarpDecision out{};
        out.far = this->is_far(px, py, pz, open_distance(node, most_factor_, extents), this->longer_softening(node));
        out.accepted = !out.far && (node.leaf != 0 || node.count == 0 || to_farthest > least * least);
        return out;
    }

    __device__ __forceinline__ void add_nodes(const ListEntry& entry, int n) {
        const std::uint32_t at = size_ + lane_;
        if (static_cast<int>(lane_) < n && at < a_.set_entries) {
            a_.set_nodes[set_ * a_.set_entries + at] = entry.index;
            if (a_.set_images != nullptr) a_.set_images[set_ * a_.set_entries + at] = static_cast<std::uint8_t>(entry.image);
        }
        size_ += static_cast<std::uint32_t>(n);
    }

    /// Stores where the groups begin; at the root and with nothing, if that would be too much or they are in several pieces.
    __device__ __forceinline__ void store(bool complete) {
        float series[local_count];
        this->add_up_local(series);
        const float scale = far_scale(this->far_radius_);
        const SeriesError<float> error = this->error_of(series);
        if (lane_ == 0) a_.sets[set_] = {Frame::in_solver_units(error, scale), complete ? size_ : no_set};
        const std::size_t group = set_ * gpu_set_groups + lane_;
        if (lane_ >= gpu_set_groups || group >= a_.walked_count) return;
        if (!complete)
            for (float& term : series) term = 0.0f;
        store(series, scale, group);
    }

protected:
    bool in_one_piece_;

private:
    __device__ __forceinline__ WarpSet(const WalkArguments& a, WarpMemory<P, S>& memory, std::size_t set, const SetMeasures& m)
        : Frame(a, memory, m.box, longest_side(m.box) * m.far_sides, m.softening),
          in_one_piece_(m.in_one_piece),
          set_(set),
          least_factor_(m.least_factor),
          most_factor_(m.most_factor) {
        const auto inner = [](double lower, double upper, double centre) {
            return static_cast<float>(fmin(upper - centre, centre - lower));
        };
        inner_[0] = inner(m.inner.lower.x, m.inner.upper.x, this->x_);
        inner_[1] = inner(m.inner.lower.y, m.inner.upper.y, this->y_);
        inner_[2] = inner(m.inner.lower.z, m.inner.upper.z, this->z_);
        if (lane_ == 0) m_.piece = m.piece;
        __syncwarp();  // all lanes read it
    }

    /// The series about a group's centre, in its units.
    __device__ __forceinline__ void store(float (&series)[local_count], float scale, std::size_t group) const {
        const Group& g = a_.targets.groups[a_.first_group + group];
        const float least = fmaxf(static_cast<float>(gravlet::far_radius(a_.targets, g)), a_.targets.nearest_far_node);
        const float ratio = scale / far_scale(least);
        const auto by = [=](double lower, double upper, double centre) {
            return Frame::to_frame(0.5 * (lower + upper), centre) * scale;
        };
        shift_series(series, {by(g.box.lower.x, g.box.upper.x, this->x_), by(g.box.lower.y, g.box.upper.y, this->y_),
                              by(g.box.lower.z, g.box.upper.z, this->z_)});
        float unit = ratio;
        unrolled<local_order + 1>([&](auto degree) {
            multipole::for_components<degree.value>([&](auto k) {
                constexpr int i = local_index(k.a, k.b, k.c);
                if constexpr (k.c <= 1) a_.set_local[group].terms[LaneLocal::place(i)] = series[i] * unit;
            });
            unit *= ratio;
        });
    }

    std::size_t set_;
    float inner_[3];  ///< no group's box is farther from a node than one that reaches so far from the centre
    float least_factor_, most_factor_;
    std::uint32_t size_ = 0;
};

}  // namespace gravlet
