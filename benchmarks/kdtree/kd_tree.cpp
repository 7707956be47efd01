// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/kdtree/kd_tree.hpp"

#include "benchmarks/kdtree/tight.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace gravlet::bench {
namespace {

struct Range {
    std::uint32_t begin, end;
    [[nodiscard]] std::uint32_t count() const { return end - begin; }
};

/// What is sorted: a source's place along the direction that is cut.
struct Entry {
    double place;
    float mass;
    std::uint32_t source;
};

class Cutter {
public:
    Cutter(std::span<const Source> sources, std::vector<std::uint32_t>& order) : sources_(sources), order_(order) {}

    /// The first source of the upper part; the end where all are at one place.
    std::uint32_t cut(const Range& range) {
        Bounds box = empty_bounds();
        for (std::uint32_t k = range.begin; k < range.end; ++k) add_place(box, sources_[order_[k]]);
        const double sides[] = {box.upper.x - box.lower.x, box.upper.y - box.lower.y, box.upper.z - box.lower.z};
        const auto axis = std::max_element(sides, sides + 3) - sides;
        const auto along = axis == 0 ? &Source::x : axis == 1 ? &Source::y : &Source::z;
        if (!(sides[axis] > 0.0)) return range.end;
        return range.count() >= large_node ? cut_in_the_middle(range, along) : cut_by_cost(range, along);
    }

private:
    std::uint32_t cut_in_the_middle(const Range& range, double Source::*along) {
        const auto begin = order_.begin() + range.begin, end = order_.begin() + range.end;
        double low = std::numeric_limits<double>::max(), high = std::numeric_limits<double>::lowest();
        for (auto k = begin; k != end; ++k) {
            low = std::min(low, sources_[*k].*along), high = std::max(high, sources_[*k].*along);
        }
        // Above `low` also where rounding leaves no number between the two.
        const double half = low + 0.5 * (high - low), middle = half > low ? half : high;
        const auto upper = std::partition(begin, end, [&](std::uint32_t s) { return sources_[s].*along < middle; });
        return static_cast<std::uint32_t>(upper - order_.begin());
    }

    /// The candidates are the places of the sources. The cross section, the same for all, is left out of the volumes.
    std::uint32_t cut_by_cost(const Range& range, double Source::*along) {
        entries_.clear();
        double mass = 0.0;
        for (std::uint32_t k = range.begin; k < range.end; ++k) {
            const Source& s = sources_[order_[k]];
            entries_.push_back({s.*along, s.mass, order_[k]});
            mass += s.mass;
        }
        std::sort(entries_.begin(), entries_.end(),
                  [](const Entry& a, const Entry& b) { return std::pair(a.place, a.source) < std::pair(b.place, b.source); });
        const double low = entries_.front().place, high = entries_.back().place;
        double below = 0.0, least = std::numeric_limits<double>::infinity();
        std::uint32_t best = range.end;
        for (std::uint32_t k = 0; k < range.count(); ++k) {
            const double place = entries_[k].place, cost = (place - low) * below + (high - place) * (mass - below);
            if (k > 0 && place > entries_[k - 1].place && cost < least) least = cost, best = range.begin + k;
            below += entries_[k].mass;
            order_[range.begin + k] = entries_[k].source;
        }
        return best;
    }

    std::span<const Source> sources_;
    std::vector<std::uint32_t>& order_;
    std::vector<Entry> entries_;
};

/// The ranges, in order, that three cuts on top of each other make of one node. One range: a leaf.
std::vector<Range> children_of(const Range& node, std::uint32_t leaf_size, Cutter& cutter) {
    std::vector<Range> parts{node};
    for (int level = 0; level < 3; ++level) {
        std::vector<Range> halves;
        for (const Range& part : parts) {
            const std::uint32_t seam = part.count() > leaf_size ? cutter.cut(part) : part.end;
            halves.push_back({part.begin, seam});
            if (seam < part.end) halves.push_back({seam, part.end});
        }
        parts = std::move(halves);
    }
    return parts;
}

}  // namespace

std::vector<std::uint32_t> build_kd_tree(std::span<const Source> sources, std::uint32_t leaf_size, Tree<Cpu>& tree) {
    const auto n = static_cast<std::uint32_t>(sources.size());
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::vector<Node> nodes;
    if (n > 0) nodes.push_back(new_leaf(0, n));
    tree.levels.assign(1, 0);
    Cutter cutter(sources, order);
    for (std::size_t begin = 0; begin < nodes.size();) {
        const std::size_t end = nodes.size();
        tree.levels.push_back(static_cast<node_index>(end));
        for (; begin < end; ++begin) {
            const Range range{nodes[begin].first, nodes[begin].first + nodes[begin].count};
            const std::vector<Range> children = children_of(range, leaf_size, cutter);
            if (children.size() == 1) continue;
            nodes[begin].first = static_cast<std::uint32_t>(nodes.size());
            nodes[begin].count = static_cast<std::uint32_t>(children.size());
            nodes[begin].leaf = 0;
            for (const Range& child : children) nodes.push_back(new_leaf(child.begin, child.count()));
        }
    }
    tree.nodes.resize_discard(nodes.size());
    std::copy(nodes.begin(), nodes.end(), tree.nodes.data());
    return order;
}

}  // namespace gravlet::bench
