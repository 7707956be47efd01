// SPDX-License-Identifier: Apache-2.0
// The walk of one target group, or of a set of them, by one warp, after the pattern of Bedorf et al. (2012): lanes test 32 nodes
// at once, what is accepted goes to lists in shared memory, and a full list (32 entries) is evaluated at once (warp_group.cuh).
// Or the warps of a block walk for one group: alike, breadth first, until there is enough on the stack for all of them, then each
// a part of the tree. They decide alike what they visit and whose it is, and so need not talk before all lists are done.
#pragma once

#include "gpu/walk/warp_group.cuh"
#include "gpu/walk/warp_set.cuh"

namespace gravlet {

/// Target: a WarpGroup or WarpSet. Shared: by the warps of a block.
template <class Target, bool Shared>
class WarpWalk : private Target {
    using Target::a_, Target::m_, Target::lane_;

public:
    template <class Memory, class Walked>
    __device__ __forceinline__ WarpWalk(const WalkArguments& a, Memory& memory, const Walked& walked)
        : Target(a, memory, walked) {
        __syncwarp();
    }

    /// Walks for the group, and stores its sums; or leaves it to another pass, since its lists are too long or its local
    /// expansion turns out not to be good enough. (A loop here, until it is, would cost a quarter more for all groups: what it
    /// does not change is then kept in registers.)
    __device__ __forceinline__ void run() {
        if constexpr (Shared)
            run_shared();
        else
            run_alone();
    }

    /// Walks for the set, and stores where its groups begin.
    __device__ __forceinline__ void run_set() {
        const bool complete = this->in_one_piece_ && add_lists();
        this->store(complete);
        if (complete && lane_ == 0) atomicAdd(&a_.counters->far, static_cast<unsigned long long>(far_count_));
    }

private:
    __device__ __forceinline__ void run_alone() {
        if (!add_lists()) return leave(a_.given_up, a_.counters->given_up, 0.0f);
        this->add_up_parts();
        const float far_radius = far_count_ > 0 || this->has_begun() ? this->add_local() : 0.0f;
        if (far_radius > 0.0f) {
            leave(a_.again, a_.counters->again, far_radius);
        } else {
            this->store();
            this->count_coincident();
        }
        count();
    }

    /// Lists are too long if those of all warps together are; a warp that has too much by itself stops before. All warps of the
    /// block meet at every barrier.
    __device__ __forceinline__ void run_shared() {
        const bool first = this_warp() == 0;
        add_lists();
        if (lane_ == 0) m_.record_index[0] = node_count_ + cell_count_;
        const bool any_far = __syncthreads_or(far_count_ > 0);
        unsigned listed = 0;
        for (unsigned warp = 0; warp < warps_per_block; ++warp) listed += this->memory_of(warp).record_index[0];
        if (listed > a_.list_limit) {
            if (first) leave(a_.given_up, a_.counters->given_up, 0.0f);
            return;
        }
        this->add_up_parts();
        this->gather();
        const float far_radius = first && any_far ? this->add_local() : 0.0f;
        const bool again = __syncthreads_or(far_radius > 0.0f);
        if (first) again ? leave(a_.again, a_.counters->again, far_radius) : this->store();
        if (!again) this->count_coincident();
        count();
    }

    /// Walks, and adds up all lists. False if that is too much.
    __device__ __forceinline__ bool add_lists() {
        for (;;) {
            bool single = false;
            if (leaves_ == 0 && top_ == 0 && image_ != no_image) single = go_on();
            if (leaves_ == 0 && top_ > 0) {
                a_.targets.extents > 0.0f ? visit<true>(single) : visit<false>(single);
                if (Shared && together_) part();
            }
            if constexpr (Target::has_targets)
                while (leaves_ != 0 && apart_ <= source_list - warp_size && near_ <= source_list - warp_size) take_leaves();
            __syncwarp();
            const bool last = leaves_ == 0 && top_ == 0 && image_ == no_image;
            const int full = last ? 1 : warp_size;
            if (far_ >= full) add_far();
            if (nodes_ >= full) add_nodes();
            if constexpr (Target::has_targets) {
                while (apart_ >= full) add_sources<false>(apart_);
                while (near_ >= full) add_sources<true>(near_);
            }
            if (node_count_ + cell_count_ > this->limit()) return false;
            if (last && far_ + nodes_ == 0) return true;
        }
    }

    /// Fills the empty stack: with the next of the nodes that its set left to the group, or the root of the next image. Returns
    /// whether the stack has single nodes, not runs of siblings.
    __device__ __forceinline__ bool go_on() {
        if constexpr (begins_with_set) {
            if (this->has_begun()) {
                next_entries();
                return true;
            }
        }
        next_image();
        return false;
    }

    /// Takes up to 32 entries of the set, all of one image: those of the others come in no order.
    __device__ __forceinline__ void next_entries() {
        const std::uint32_t left = m_.entries_left;
        const std::size_t last = this->first_entry() + left - 1;
        image_ = __shfl_sync(~0u, left > 0 ? this->image_of(last) : no_image, 0);
        const unsigned others = __ballot_sync(~0u, lane_ >= left || this->image_of(last - lane_) != image_);
        top_ = others != 0 ? __ffs(static_cast<int>(others)) - 1 : warp_size;
        if (static_cast<int>(lane_) < top_)
            m_.stack()[lane_] = a_.set_nodes[last - lane_] << 3 | (a_.targets.pieces.side > 0.0 ? 0 : stack_in_piece);
        __syncwarp();
        if (lane_ == 0) m_.entries_left = left - static_cast<std::uint32_t>(top_);
    }

    /// Puts the root of the next image of the tree that is walked for this group on the stack; image_ is no_image if there are no
    /// more.
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
                image_ = no_image;
                return;
            }
        }
        if (lane_ == 0) m_.stack()[0] = a_.tree.root << 3 | (t.pieces.side > 0.0 ? 0 : stack_in_piece);
        top_ = 1;
        together_ = Shared;
        __syncwarp();
    }

    /// Parts the walk among the block's warps. Once the stack has enough for all warps of the block, or nothing, or no room for
    /// what another visit may add, each takes every fourth entry. Until then each lists every fourth node of what all find.
    __device__ __forceinline__ void part() {
        constexpr int enough = 16 * warps_per_block;
        static_assert(enough + warp_size <= warps_per_block * warp_size);  // a lane has one entry to take at most
        const int entries = top_ - bottom_;
        if (entries > 0 && entries < enough && top_ + warp_size <= walk_stack_entries(a_.tree)) return;
        const int from = bottom_ + static_cast<int>(lane_ * warps_per_block + this_warp());
        const bool mine = from < top_;
        __syncwarp();  // other lanes' entries of the last visit
        const std::uint32_t entry = mine ? m_.stack()[from] : 0;
        __syncwarp();
        if (mine) m_.stack()[lane_] = entry;
        top_ = __popc(__ballot_sync(~0u, mine));
        bottom_ = 0;
        together_ = false;
        __syncwarp();
    }

    /// The lanes for which `condition` holds get places [count, ...) in a list, and `count` grows.
    __device__ __forceinline__ int claim(bool condition, int& count) const {
        const unsigned lanes = __ballot_sync(~0u, condition);
        const int place = count + __popc(lanes & ((1u << lane_) - 1u));
        count += __popc(lanes);
        return place;
    }

    /// Tests up to 32 nodes, of four runs of siblings or single ones, and puts each where it belongs. Whether the criterion knows
    /// nodes' extents is asked here, as a test of it for each node is felt.
    template <bool Extents>
    __device__ __forceinline__ void visit(bool single) {
        const int shift = begins_with_set && single ? 0 : 3, run = static_cast<int>(lane_) >> shift, runs = warp_size >> shift;
        bool active = false;
        std::uint32_t index = 0, in_piece = 0;
        const bool together = Shared && together_;
        if (run < top_ - bottom_) {
            const std::uint32_t entry = m_.stack()[together ? bottom_ + run : top_ - 1 - run],
                                place = lane_ & ((1u << shift) - 1u);
            active = place <= (entry & 7u);
            index = (entry << 1 >> 4) + place;
            in_piece = entry & stack_in_piece;
        }
        if (together) {
            bottom_ = bottom_ + 4 < top_ ? bottom_ + 4 : top_;
        } else {
            top_ = top_ > runs ? top_ - runs : 0;
        }
        __syncwarp();

        bool far = false, accepted = false, near = false, leaf = false;
        std::uint32_t first = 0, count = 0;
        if (active && in_piece == 0) {
            const Node& node = a_.tree.nodes[index];
            active = is_walked(a_.targets.pieces, node, m_.piece, a_.targets.images[image_]);
            if (is_in_piece(a_.targets.pieces, node)) in_piece = stack_in_piece;
        }
        if (active) {
            const Node node = read_whole(a_.tree.nodes[index]);
            first = node.first, count = node.count, leaf = node.leaf != 0;
            const Vector3 from = this->origin(image_);
            const float px = fabsf(Target::to_frame(node.x, from.x)), py = fabsf(Target::to_frame(node.y, from.y)),
                        pz = fabsf(Target::to_frame(node.z, from.z));
            const WarpDecision decision = this->template decide<Extents>(node, px, py, pz);
            far = decision.far, accepted = decision.accepted, near = decision.near;
        }
        const bool opened = active && !far && !accepted;
        const bool mine = !together || index % warps_per_block == this_warp();
        far = far && mine, accepted = accepted && mine;
        int place = claim(far, far_);
        if (far) m_.far[place] = index, m_.far_image[place] = static_cast<std::uint8_t>(image_);
        place = claim(accepted, nodes_);
        if (accepted) m_.nodes[place] = index, m_.node_image[place] = static_cast<std::uint8_t>(image_);
        place = claim(opened && !leaf, top_);
        if (opened && !leaf) m_.stack()[place] = in_piece | first << 3 | (count - 1);
        leaves_ = __ballot_sync(~0u, opened && leaf && mine);
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

    /// Takes up to 32 entries off the end of a list: their number, and this lane's.
    __device__ __forceinline__ int take(const std::uint32_t* list, const std::uint8_t* images, int& size,
                                        ListEntry& entry) const {
        const int n = size < warp_size ? size : warp_size;
        size -= n;
        const int at = size + (static_cast<int>(lane_) < n ? static_cast<int>(lane_) : 0);
        entry = {list[at], images[at]};
        return n;
    }

    __device__ __forceinline__ void add_far() {
        ListEntry entry;
        const int n = take(m_.far, m_.far_image, far_, entry);
        far_count_ += static_cast<unsigned>(n);
        Target::add_far(entry, n);
    }

    __device__ __forceinline__ void add_nodes() {
        ListEntry entry;
        const int n = take(m_.nodes, m_.node_image, nodes_, entry);
        node_count_ += static_cast<unsigned>(n);
        Target::add_nodes(entry, n);
    }

    template <bool Near>
    __device__ __forceinline__ void add_sources(int& size) {
        constexpr int list = Near ? 1 : 0;
        ListEntry entry;
        const int n = take(m_.sources[list], m_.source_image[list], size, entry);
        cell_count_ += static_cast<unsigned>(n);
        Target::template add_sources<Near>(entry, n);
    }

    __device__ __forceinline__ void leave(WalkedGroup* list, std::uint32_t& size, float far_radius) const {
        if (lane_ == 0) list[atomicAdd(&size, 1u)] = {this->group_, far_radius};
    }

    __device__ __forceinline__ void count() {
        if (lane_ != 0) return;
        const unsigned long long targets = this->group().count;
        atomicAdd(&a_.counters->node, targets * node_count_);
        atomicAdd(&a_.counters->cell, targets * cell_count_);
        atomicAdd(&a_.counters->far, static_cast<unsigned long long>(far_count_));
    }

    static constexpr bool begins_with_set = !Shared && Target::has_targets;
    static constexpr int no_image = -2;
    int image_ = -1;                                            ///< image of the tree that is walked
    bool together_ = false;                                     ///< the block's warps still walk alike
    int bottom_ = 0;                                            ///< bottom of the stack: 0 but while the warps walk alike
    int top_ = 0, nodes_ = 0, far_ = 0, apart_ = 0, near_ = 0;  ///< entries of the stack and the lists
    unsigned leaves_ = 0;                                       ///< lanes whose opened leaf is still to be taken
    std::uint32_t leaf_first_ = 0, leaf_count_ = 0;
    bool leaf_near_ = false;
    unsigned node_count_ = 0, cell_count_ = 0, far_count_ = 0;
};

}  // namespace gravlet
