// SPDX-License-Identifier: Apache-2.0
// The walk of one target group by one warp, after the pattern of Bedorf et al. (2012): lanes test 32 nodes at once, what is
// accepted goes to lists in shared memory, and a full list (32 entries) is evaluated at once: 32 nodes or sources are staged in
// shared memory by a lane each, and every lane lets all of them act on its own one or two targets. Nodes that are far from the
// whole group act on its centre instead, a node a lane.
//
// Positions are relative to the group's centre, in single precision. Pairs so close that this shows, a target with itself among
// them, are put aside and done one by one in double. Sums run in single precision over a list and are then added up in double.
#pragma once

#include "gpu/walk.hpp"
#include "gpu/warp_memory.cuh"
#include "solver/close_pair.hpp"

namespace gravlet {

template <int P, bool Gradient, bool Softened, int T>
class WarpWalk {
public:
    /// With the usual far radius, or a longer one.
    __device__ __forceinline__ WarpWalk(const WalkArguments& a, WarpMemory<P>& memory, std::size_t group, float least_far_radius)
        : a_(a), m_(memory), group_(static_cast<std::uint32_t>(group)) {
        const Group& g = a.targets.groups[group];
        lane_ = threadIdx.x % warp_size;
        begin_ = g.begin;
        end_ = g.begin + g.count;
        x_ = 0.5 * (g.box.lower.x + g.box.upper.x);
        y_ = 0.5 * (g.box.lower.y + g.box.upper.y);
        z_ = 0.5 * (g.box.lower.z + g.box.upper.z);
        const double sx = g.box.upper.x - g.box.lower.x, sy = g.box.upper.y - g.box.lower.y, sz = g.box.upper.z - g.box.lower.z;
        const double side = fmax(sx, fmax(sy, sz)), slack = 1e-6 * side;
        half_[0] = static_cast<float>(0.5 * sx + slack);
        half_[1] = static_cast<float>(0.5 * sy + slack);
        half_[2] = static_cast<float>(0.5 * sz + slack);
        far_radius_ = fmaxf(static_cast<float>(fmax(far_radius(a.targets, g), 1000.0 * a.targets.softening)),
                            fmaxf(nearest_far_node, least_far_radius));
        // Single precision relative to the group resolves 2^-24 of its radius: distances above 1/64 of it keep 18 bits.
        gap_ = static_cast<float>(fmax(side / 128.0, nearest_single_precision));
        for (int k = 0; k < T; ++k) {
            const Source& body = a.targets.bodies[target(k)];
            t_[k] = {to_frame(body.x, x_), to_frame(body.y, y_), to_frame(body.z, z_), body.softening2};
            for (double& sum : sums_[k]) sum = 0.0;
        }
        for (int i = 0; i < local_terms; ++i) m_.local[i][lane_] = 0.0f;
        if (lane_ == 0 && a.targets.pieces.side > 0.0) m_.piece = piece_of(a.targets.pieces, g);
        __syncwarp();
    }

    /// Walks for the group, and stores its sums. If its local expansion turns out not to be good enough, it does not, and the
    /// group must be walked again with the far radius that this returns; else 0.
    __device__ __forceinline__ float run() {
        if (!add_lists()) {
            give_up();
            return 0.0f;
        }
        const float radius = add_local();
        if (radius == 0.0f) store();
        count();
        return radius;
    }

private:
    /// Walks, and adds up all lists. False if that is too much.
    __device__ __forceinline__ bool add_lists() {
        next_image();
        for (;;) {
            if (leaves_ == 0 && top_ > 0) visit();
            if (leaves_ == 0 && top_ == 0 && image_ >= 0) next_image();
            while (leaves_ != 0 && apart_ <= source_list - warp_size && near_ <= source_list - warp_size) take_leaves();
            __syncwarp();
            const bool last = leaves_ == 0 && top_ == 0 && image_ < 0;
            const int full = last ? 1 : warp_size;
            if (far_ >= full) add_far();
            if (nodes_ >= full) add_nodes();
            while (apart_ >= full) add_sources<false>();
            while (near_ >= full) add_sources<true>();
            if (node_count_ + cell_count_ > a_.list_limit) return false;
            if (last && far_ + nodes_ == 0) return true;
        }
    }

    struct Target {
        float x, y, z, softening2;
    };

    __device__ __forceinline__ static float to_frame(double position, double origin) {
        return static_cast<float>(position - origin);
    }

    /// Where the frame is from an image's point of view.
    __device__ __forceinline__ Point3 origin(int image) const {
        if (image == 0) return {x_, y_, z_};
        const Point3 shift = a_.targets.images[image];
        return {x_ - shift.x, y_ - shift.y, z_ - shift.z};
    }

    /// Puts the root of the next image of the tree that is walked for this group on the stack; image_ < 0 if there are no more.
    __device__ __forceinline__ void next_image() {
        const Node& root = a_.tree.nodes[a_.tree.root];
        const WalkTargets& t = a_.targets;
        for (++image_;; image_ = (image_ / warp_size + 1) * warp_size) {  // 32 images at once
            const int mine = image_ / warp_size * warp_size + static_cast<int>(lane_);
            const bool walked = mine >= image_ && mine < t.image_count &&
                                (t.pieces.side == 0.0 || is_walked(t.pieces, root, m_.piece, t.images[mine]));
            const unsigned lanes = __ballot_sync(~0u, walked);
            if (lanes != 0) {
                image_ = image_ / warp_size * warp_size + __ffs(static_cast<int>(lanes)) - 1;
                break;
            }
            if (image_ / warp_size >= (t.image_count - 1) / warp_size) {
                image_ = -1;
                return;
            }
        }
        if (lane_ == 0) m_.stack()[0] = a_.tree.root << 3 | (t.pieces.side > 0.0 ? 0 : stack_in_piece);
        top_ = 1;
        __syncwarp();
    }

    /// Lanes beyond the last target repeat it, and store nothing.
    __device__ __forceinline__ std::size_t target(int k) const {
        const std::size_t i = begin_ + lane_ + k * warp_size;
        return i < end_ ? i : end_ - 1;
    }

    /// The lanes for which `condition` holds get places [count, ...) in a list, and `count` grows.
    __device__ __forceinline__ int claim(bool condition, int& count) const {
        const unsigned lanes = __ballot_sync(~0u, condition);
        const int place = count + __popc(lanes & ((1u << lane_) - 1u));
        count += __popc(lanes);
        return place;
    }

    /// Tests up to 32 nodes, the children of four nodes, and puts each where it belongs.
    __device__ __forceinline__ void visit() {
        constexpr std::uint32_t cheap_leaf = P < 2 ? 1 : P < 4 ? 2 : 4;  // fewer sources than this cost less than the node
        const int run = static_cast<int>(lane_) / 8;
        bool active = false;
        std::uint32_t index = 0, in_piece = 0;
        if (run < top_) {
            const std::uint32_t entry = m_.stack()[top_ - 1 - run];
            active = (lane_ & 7u) <= (entry & 7u);
            index = (entry << 1 >> 4) + (lane_ & 7u);
            in_piece = entry & stack_in_piece;
        }
        top_ = top_ > 4 ? top_ - 4 : 0;
        __syncwarp();

        bool far = false, accepted = false, near = false, leaf = false;
        std::uint32_t first = 0, count = 0;
        if (active && in_piece == 0) {
            const Node& node = a_.tree.nodes[index];
            active = is_walked(a_.targets.pieces, node, m_.piece, a_.targets.images[image_]);
            if (is_in_piece(a_.targets.pieces, node)) in_piece = stack_in_piece;
        }
        if (active) {
            const Node& node = a_.tree.nodes[index];
            first = node.first, count = node.count, leaf = node.leaf != 0;
            const Point3 from = origin(image_);
            const float px = fabsf(to_frame(node.x, from.x)), py = fabsf(to_frame(node.y, from.y)),
                        pz = fabsf(to_frame(node.z, from.z));
            const float gx = fmaxf(px - half_[0], 0.0f), gy = fmaxf(py - half_[1], 0.0f), gz = fmaxf(pz - half_[2], 0.0f);
            const float to_centre = px * px + py * py + pz * pz, to_box = gx * gx + gy * gy + gz * gz;
            const float open = node.open_radius, reach = open + far_radius_, least = fmaxf(open, gap_);
            const float sources_within = 1.7320509f * node.size + gap_;  // of the centre of mass: its cube's diagonal
            far = to_centre > reach * reach;
            accepted = !far && (count == 0 || ((!leaf || count > cheap_leaf) && to_box > least * least));
            near = Softened || to_box <= sources_within * sources_within;
        }
        const bool opened = active && !far && !accepted;
        int place = claim(far, far_);
        if (far) m_.far[place] = index, m_.far_image[place] = static_cast<std::uint8_t>(image_);
        place = claim(accepted, nodes_);
        if (accepted) m_.nodes[place] = index, m_.node_image[place] = static_cast<std::uint8_t>(image_);
        place = claim(opened && !leaf, top_);
        if (opened && !leaf) m_.stack()[place] = in_piece | first << 3 | (count - 1);
        leaves_ = __ballot_sync(~0u, opened && leaf);
        leaf_first_ = first;
        leaf_count_ = count;
        leaf_near_ = near;
    }

    /// Adds up to 8 sources of each of the next four leaves at hand to their lists.
    __device__ __forceinline__ void take_leaves() {
        const unsigned before = (1u << lane_) - 1u;
        const int rank = __popc(leaves_ & before);
        const bool mine = (leaves_ >> lane_ & 1u) != 0, next = mine && rank < leaves_together;
        if (next) m_.leaves[rank] = {leaf_first_, leaf_count_ << 1 | (leaf_near_ ? 1u : 0u)};
        __syncwarp();
        const int slot = static_cast<int>(lane_) / leaf_lanes;
        const std::uint32_t place = lane_ % leaf_lanes;
        const uint2 leaf = m_.leaves[slot];
        const bool taken = slot < __popc(leaves_) && place < leaf.y >> 1, near = (leaf.y & 1u) != 0;
        const unsigned to_near = __ballot_sync(~0u, taken && near), to_apart = __ballot_sync(~0u, taken && !near);
        if (taken) {
            const int at = near ? near_ + __popc(to_near & before) : apart_ + __popc(to_apart & before), list = near ? 1 : 0;
            m_.sources[list][at] = leaf.x + place;
            m_.source_image[list][at] = static_cast<std::uint8_t>(image_);
        }
        near_ += __popc(to_near);
        apart_ += __popc(to_apart);
        if (next) leaf_first_ += leaf_lanes, leaf_count_ = leaf_count_ > leaf_lanes ? leaf_count_ - leaf_lanes : 0;
        leaves_ = __ballot_sync(~0u, mine && leaf_count_ > 0);
        __syncwarp();
    }

    struct Entry {
        std::uint32_t index;
        int image;
    };

    /// Takes up to 32 entries off the end of a list: their number, and this lane's.
    __device__ __forceinline__ int take(const std::uint32_t* list, const std::uint8_t* images, int& size, Entry& entry) const {
        const int n = size < warp_size ? size : warp_size;
        size -= n;
        const int at = size + (static_cast<int>(lane_) < n ? static_cast<int>(lane_) : 0);
        entry = {list[at], images[at]};
        return n;
    }

    /// Lets far nodes act on the group's centre, a node a lane.
    __device__ __forceinline__ void add_far() {
        Entry entry;
        const int n = take(m_.far, m_.far_image, far_, entry);
        far_count_ += static_cast<unsigned>(n);
        if (static_cast<int>(lane_) < n) {
            const Node& node = a_.tree.nodes[entry.index];
            const Point3 from = origin(entry.image);
            const float scale = far_scale(far_radius_);
            const float x = -to_frame(node.x, from.x) * scale, y = -to_frame(node.y, from.y) * scale,
                        z = -to_frame(node.z, from.z) * scale;
            float derivative[local_count];
            derivatives(
                x, y, z, rsqrtf(x * x + y * y + z * z), [](float v) { return v; }, derivative);
            const float l = node.size * scale, l2 = l * l;
            const float factor[] = {l2 * (1.0f / 3.0f), l2 * l * (-1.0f / 15.0f), l2 * l2 * (1.0f / 105.0f)};
            const float* const moments = a_.tree.moments + std::size_t{entry.index} * moment_count(P);
            add_to_local<P>(LaneLocal{&m_.local[0][lane_]}, derivative, node.mass, [&](auto m) {
                constexpr int i = decltype(m)::value;
                return moments[i] * factor[i < moment_count(2) ? 0 : i < moment_count(3) ? 1 : 2];
            });
        }
        __syncwarp();
    }

    __device__ __forceinline__ void add_nodes() {
        using Staged = StagedNode<P>;
        Entry entry;
        const int n = take(m_.nodes, m_.node_image, nodes_, entry);
        node_count_ += static_cast<unsigned>(n);
        {
            float* const to = m_.staged + lane_ * Staged::length;
            const Node& node = a_.tree.nodes[entry.index];
            const Point3 from = origin(entry.image);
            to[0] = to_frame(node.x, from.x), to[1] = to_frame(node.y, from.y), to[2] = to_frame(node.z, from.z);
            to[3] = node.mass;
            to[Staged::size] = node.size;
            to[Staged::softening2] = node.softening2;
            if constexpr (Softened) m_.staged_extra[lane_] = node.spread;
            const float* const moments = a_.tree.moments + std::size_t{entry.index} * moment_count(P);
            for (int i = 0; i < moment_count(P); ++i) to[Staged::moments + i] = moments[i];
        }
        __syncwarp();
        Sums<float> sums[T] = {};
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
                if constexpr (Softened) {
                    const float softening2 = fmaxf(t_[k].softening2, record[Staged::softening2]);
                    r_inverse = rsqrtf(r2 + softening2);
                    soften_extent(mass, r_inverse, softening2, m_.staged_extra[i]);
                } else {
                    r_inverse = rsqrtf(r2);
                }
                add_node<P, Gradient>(sums[k], x, y, z, r_inverse, mass, record[Staged::size], 1.0f, 5.0f,
                                      [&](auto c) { return record[Staged::moments + moment_index(c.a, c.b, c.c)]; });
            }
        }
        add_up(sums);
    }

    template <bool Near>
    __device__ __forceinline__ void add_sources() {
        constexpr int list = Near ? 1 : 0;
        Entry entry;
        const int n = take(m_.sources[list], m_.source_image[list], Near ? near_ : apart_, entry);
        cell_count_ += static_cast<unsigned>(n);
        {
            const Source& source = a_.tree.sources[entry.index];
            const Point3 from = origin(entry.image);
            reinterpret_cast<float4*>(m_.staged)[lane_] = {to_frame(source.x, from.x), to_frame(source.y, from.y),
                                                           to_frame(source.z, from.z), source.mass};
            if constexpr (Softened) m_.staged_extra[lane_] = source.softening2;
            if constexpr (Near)
                m_.staged_index[lane_] = entry.index, m_.staged_image[lane_] = static_cast<std::uint8_t>(entry.image);
        }
        __syncwarp();
        Sums<float> sums[T] = {};
        unsigned close[T] = {};  // bit i: source i is close to target k
        const float close2 = gap_ * gap_;
#pragma unroll 4
        for (int i = 0; i < n; ++i) {
            const float4 s = reinterpret_cast<const float4*>(m_.staged)[i];
#pragma unroll
            for (int k = 0; k < T; ++k) {
                const float x = t_[k].x - s.x, y = t_[k].y - s.y, z = t_[k].z - s.z;
                const float d2 = x * x + y * y + z * z;
                float r2 = d2;
                if constexpr (Softened) r2 += fmaxf(t_[k].softening2, m_.staged_extra[i]);
                float r_inverse = rsqrtf(r2);
                if constexpr (Near) {
                    if (d2 <= close2) r_inverse = 0.0f, close[k] |= 1u << i;
                }
                add_node<0, Gradient>(sums[k], x, y, z, r_inverse, s.w, 1.0f, 1.0f, 1.0f, 0);
            }
        }
        if constexpr (Near) {
            for (int k = 0; k < T; ++k)
                for (; close[k] != 0; close[k] &= close[k] - 1) add_close_pair(k, __ffs(close[k]) - 1);
        }
        add_up(sums);
    }

    __device__ __forceinline__ void add_close_pair(int k, int staged) {
        const std::size_t i = target(k);
        const std::uint32_t index = m_.staged_index[staged];
        const int image = m_.staged_image[staged];
        if (target_of(a_.tree, index, image) == static_cast<std::uint32_t>(i)) return;
        Sums<double> sum{};
        if (!add_pair<Gradient>(sum, a_.targets.bodies[i], a_.tree.sources[index], displacement(a_.targets, image),
                                a_.targets.softening))
            ++coincident_[k];
        add_to_sums(k, sum);
    }

    template <class Real>
    __device__ __forceinline__ void add_to_sums(int k, const Sums<Real>& sum) {
        sums_[k][0] += sum.potential;
        if constexpr (Gradient) sums_[k][1] += sum.x, sums_[k][2] += sum.y, sums_[k][3] += sum.z;
    }

    __device__ __forceinline__ void add_up(const Sums<float> (&sums)[T]) {
        for (int k = 0; k < T; ++k) add_to_sums(k, sums[k]);
        __syncwarp();
    }

    /// Evaluates the local expansion at the targets, which completes their sums. If it was not good enough these are worthless,
    /// and this is what the far radius must be; 0: it was.
    __device__ __forceinline__ float add_local() {
        if (far_count_ == 0) return 0.0f;
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
            constexpr float factorial[] = {1, 1, 2, 6, 24};
            constexpr float ways = 1.0f / (factorial[k.a] * factorial[k.b] * factorial[k.c]);
            return series[local_index(k.a, k.b, k.c)] * ways;
        };
        const float scale = far_scale(far_radius_), field = scale * scale;
        const float reach = sqrtf(half_[0] * half_[0] + half_[1] * half_[1] + half_[2] * half_[2]);
        const SeriesError<float> error = series_error(series, reach * scale, far_radius_ * scale).in_units(scale);
        for (int k = 0; k < T; ++k) {
            const auto value =
                evaluate_polynomial<local_order, 0, Gradient>(t_[k].x * scale, t_[k].y * scale, t_[k].z * scale, coefficient);
            sums_[k][0] += value.value * scale;
            if constexpr (Gradient)
                sums_[k][1] += value.x * field, sums_[k][2] += value.y * field, sums_[k][3] += value.z * field;
        }
        return needed_far_radius(error);
    }

    __device__ __forceinline__ static float least_of_lanes(float value) {
        for (int distance = warp_size / 2; distance > 0; distance /= 2)
            value = fminf(value, __shfl_xor_sync(~0u, value, distance));
        return value;
    }

    __device__ __forceinline__ float needed_far_radius(const SeriesError<float>& error) const {
        const float mass = a_.tree.nodes[a_.tree.root].mass;
        float potential = INFINITY, field = INFINITY;
        for (int k = 0; k < T; ++k) {
            const float here = static_cast<float>(sums_[k][0]);
            potential = fminf(potential, here);
            if constexpr (!Gradient) continue;
            const float x = static_cast<float>(sums_[k][1]), y = static_cast<float>(sums_[k][2]),
                        z = static_cast<float>(sums_[k][3]);
            field = fminf(field, field_scale(sqrtf(x * x + y * y + z * z), here, mass));
        }
        const float missing = missing_distance(error, least_of_lanes(potential), least_of_lanes(field), a_.targets.series_limits);
        return missing > 1.0f ? longer_far_radius(far_radius_, error, missing) : 0.0f;
    }

    /// Leaves the group to another pass.
    __device__ __forceinline__ void give_up() {
        if (lane_ == 0) a_.given_up[atomicAdd(&a_.counters->given_up, 1u)] = group_;
    }

    __device__ __forceinline__ void store() {
        for (int k = 0; k < T; ++k) {
            const std::size_t i = begin_ + lane_ + k * warp_size;
            if (i >= end_) continue;
            a_.targets.potential[i] += sums_[k][0];
            if constexpr (Gradient)
                for (int axis = 0; axis < 3; ++axis) a_.targets.field[axis][i] += sums_[k][1 + axis];
            if (coincident_[k] == 0) continue;
            atomicAdd(&a_.counters->coincident, static_cast<unsigned long long>(coincident_[k]));
            if (a_.tree.remote && a_.targets.bodies[i].softening2 == 0.0f)
                atomicMin(&a_.counters->coincident_target, static_cast<std::uint32_t>(i));
        }
    }

    __device__ __forceinline__ void count() {
        if (lane_ != 0) return;
        const unsigned long long targets = end_ - begin_;
        atomicAdd(&a_.counters->node, targets * node_count_);
        atomicAdd(&a_.counters->cell, targets * cell_count_);
        atomicAdd(&a_.counters->far, static_cast<unsigned long long>(far_count_));
    }

    const WalkArguments& a_;
    WarpMemory<P>& m_;
    std::uint32_t group_;
    unsigned lane_;
    std::size_t begin_, end_;  ///< targets
    double x_, y_, z_;         ///< centre of the group's box
    float half_[3];
    float far_radius_;  ///< added to a node's open radius: beyond, it acts on the group's centre
    float gap_;         ///< a pair farther apart than this is not close: single precision is enough
    Target t_[T];
    double sums_[T][4];

    int image_ = -1;                                            ///< of the tree, the one that is walked
    int top_ = 0, nodes_ = 0, far_ = 0, apart_ = 0, near_ = 0;  ///< entries of the stack and the lists
    unsigned leaves_ = 0;                                       ///< lanes whose opened leaf is still to be taken
    std::uint32_t leaf_first_ = 0, leaf_count_ = 0;
    bool leaf_near_ = false;
    unsigned node_count_ = 0, cell_count_ = 0, far_count_ = 0;
    int coincident_[T] = {};
};

}  // namespace gravlet
