// SPDX-License-Identifier: Apache-2.0
#include "mpi/virtual_roots.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace gravlet {

namespace {

/// Ranks, or ranges of them, in a range.
constexpr std::size_t ranks_together = 8;

}  // namespace

std::span<const FarNode> VirtualRoots::nodes_of(int rank) const {
    const std::size_t r = static_cast<std::size_t>(rank);
    if (all[r].has_mass == 0) return {};
    if (all[r].parts == 0) return {&all[r].root, 1};
    return {parts.nodes.data() + part_begin[r], static_cast<std::size_t>(all[r].parts)};
}

std::span<const Source> VirtualRoots::sources_of(int rank) const {
    const std::size_t r = static_cast<std::size_t>(rank);
    if (all[r].parts == 0) return {};
    return {parts.sources.data() + source_begin[r], source_begin[r + 1] - source_begin[r]};
}

std::span<const FarNode> VirtualRoots::nodes_of(int rank, int to) const {
    const VirtualRoot& from = all[static_cast<std::size_t>(rank)];
    return from.parts > 0 && accepts(to, from.root) ? std::span(&from.root, 1) : nodes_of(rank);
}

bool VirtualRoots::may_need(int to, int from) const {
    const std::size_t t = static_cast<std::size_t>(to), f = static_cast<std::size_t>(from);
    if (to == from || all[t].has_targets == 0 || all[f].has_mass == 0 || accepts(to, all[f].root)) return false;
    return all[f].parts == 0 || std::ranges::any_of(nodes_of(from), [&](const FarNode& far) { return !accepts(to, far); });
}

bool VirtualRoots::accepts(int to, const FarNode& far) const {
    std::size_t index = static_cast<std::size_t>(to);
    return gravlet::accepts(all[index].box, far, distance) ||
           std::ranges::any_of(ranges, [&](const std::vector<TargetBox>& of_ranges) {
               index /= ranks_together;
               return gravlet::accepts(of_ranges[index], far, distance);
           });
}

std::vector<int> VirtualRoots::near_to(std::span<const FarNode> nodes, int rank, std::size_t most) const {
    std::vector<const FarNode*> left;
    for (const FarNode& node : nodes) left.push_back(&node);
    std::vector<int> out;
    const std::size_t level = ranges.size(), width = ranges.empty() ? all.size() : ranges.back().size();
    for (std::size_t index = 0; index < width && out.size() < most; ++index) add_near(level, index, left, rank, most, out);
    return out;
}

void VirtualRoots::add_near(std::size_t level, std::size_t index, std::span<const FarNode* const> nodes, int rank,
                            std::size_t most, std::vector<int>& out) const {
    if (level == 0 && (static_cast<int>(index) == rank || all[index].has_targets == 0)) return;
    const TargetBox& box = level == 0 ? all[index].box : ranges[level - 1][index];
    const auto is_needed = [&](const FarNode* far) { return !gravlet::accepts(box, *far, distance); };
    if (!is_needed(&all[static_cast<std::size_t>(rank)].root)) return;
    if (level == 0) {
        if (std::ranges::any_of(nodes, is_needed)) out.push_back(static_cast<int>(index));
        return;
    }
    std::vector<const FarNode*> left;
    std::ranges::copy_if(nodes, std::back_inserter(left), is_needed);
    if (left.empty()) return;
    const std::size_t width = level == 1 ? all.size() : ranges[level - 2].size();
    const std::size_t end = std::min((index + 1) * ranks_together, width);
    for (std::size_t k = index * ranks_together; k < end && out.size() < most; ++k) add_near(level - 1, k, left, rank, most, out);
}

void bound_ranges(VirtualRoots& roots) {
    roots.ranges.clear();
    std::vector<TargetBox> below;
    for (const VirtualRoot& root : roots.all)
        below.push_back(root.has_targets != 0 ? root.box : TargetBox{empty_bounds(), 0.0, 0.0});
    while (below.size() > 1) {
        std::vector<TargetBox> above((below.size() - 1) / ranks_together + 1, {empty_bounds(), 0.0, 0.0});
        for (std::size_t k = 0; k < below.size(); ++k) above[k / ranks_together] = united(above[k / ranks_together], below[k]);
        roots.ranges.push_back(above);
        below = std::move(above);
    }
}

void find_near(int rank, VirtualRoots& roots) {
    roots.audience = roots.near_to(roots.nodes_of(rank), rank, roots.all.size());
    roots.senders.clear();
    for (int other = 0; other < static_cast<int>(roots.all.size()); ++other)
        if (roots.may_need(rank, other)) roots.senders.push_back(other);
}

void VirtualRootExchange::prepare(int ranks, VirtualRoots& roots) {
    const std::size_t n = static_cast<std::size_t>(ranks);
    roots.all.resize(n);
    roots.ranges.clear();
    counts_.resize(n);
    for (std::vector<int>* const each : {&nodes_, &sources_, &node_offsets_, &source_offsets_}) each->assign(n, 0);
}

void VirtualRootExchange::gather(const Agreed& all, const OwnVirtualRoot& mine, VirtualRoots& roots) const {
    all.check(MPI_Allgather(&mine.root, 1, root_.get(), roots.all.data(), 1, root_.get(), all.get()), "MPI_Allgather");
    rounds_.open(all);
}

bool VirtualRootExchange::any_parts(const VirtualRoots& roots) {
    return std::ranges::any_of(roots.all, [](const VirtualRoot& root) { return root.parts > 0; });
}

void VirtualRootExchange::gather_counts(const Agreed& all, const RootParts& mine, VirtualRoots& roots) {
    const std::array<int, 2> own{static_cast<int>(mine.nodes.size()), static_cast<int>(mine.sources.size())};
    all.check(MPI_Allgather(own.data(), 2, MPI_INT, counts_.data(), 2, MPI_INT, all.get()), "MPI_Allgather");
    for (std::size_t rank = 0; rank < roots.all.size(); ++rank) {
        roots.all[rank].parts = counts_[rank][0];
        sources_[rank] = counts_[rank][1];
    }
}

void VirtualRootExchange::prepare_parts(VirtualRoots& roots) {
    if (any_parts(roots) && roots.ranges.empty()) bound_ranges(roots);
    roots.part_begin.assign(1, 0);
    roots.source_begin.assign(1, 0);
    for (std::size_t rank = 0; rank < roots.all.size(); ++rank) {
        nodes_[rank] = roots.all[rank].parts;
        node_offsets_[rank] = static_cast<int>(roots.part_begin.back());
        source_offsets_[rank] = static_cast<int>(roots.source_begin.back());
        roots.part_begin.push_back(roots.part_begin.back() + static_cast<std::size_t>(nodes_[rank]));
        roots.source_begin.push_back(roots.source_begin.back() + static_cast<std::size_t>(sources_[rank]));
    }
    roots.parts.nodes.resize(roots.part_begin.back());
    roots.parts.sources.resize(roots.source_begin.back());
}

void VirtualRootExchange::gather_parts(const Agreed& all, const RootParts& mine, VirtualRoots& roots) const {
    const auto gather_each = [&](const auto& own, auto& to, const RecordType& type, const std::vector<int>& counts,
                                 const std::vector<int>& offsets) {
        all.check(MPI_Allgatherv(own.data(), static_cast<int>(own.size()), type.get(), to.data(), counts.data(), offsets.data(),
                                 type.get(), all.get()),
                  "MPI_Allgatherv");
    };
    gather_each(mine.nodes, roots.parts.nodes, node_, nodes_, node_offsets_);
    if (!roots.parts.sources.empty()) gather_each(mine.sources, roots.parts.sources, source_, sources_, source_offsets_);
}

void VirtualRootExchange::post(int rank, const OwnVirtualRoot& mine, VirtualRoots& roots) const {
    find_near(rank, roots);
    roots.stride = mine.boxes.size();
    roots.boxes.resize(roots.audience.size() * roots.stride);
    for (std::size_t k = 0; k < roots.audience.size(); ++k)
        rounds_.receive(roots.audience[k], roots.boxes.data() + k * roots.stride, roots.stride, box_, Tag::boxes);
    for (const int sender : roots.senders) rounds_.send(sender, mine.boxes.data(), roots.stride, box_, Tag::boxes);
    rounds_.posted();
}

}  // namespace gravlet
