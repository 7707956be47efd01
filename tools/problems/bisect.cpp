// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/bisect.hpp"

#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "tools/problems/distribute.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace gravlet {
namespace {

constexpr std::size_t bins = 256;

// An integer that is larger for the larger number.
std::uint64_t ordered(double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

// The ranks that still share a box, and where it is cut.
struct Region {
    int first = 0, last = 1;  // ranks
    std::int64_t below = -1;  // points that go to the lower half; not known before the first byte's counts
    std::uint64_t cut = 0;    // the least coordinate of the upper half, as far as it is known

    [[nodiscard]] int middle() const { return first + (last - first) / 2; }
};

// The next byte of each box's cut, given how many points of the box (among those like the cut so far) have which value there.
void take_byte(Region& box, const std::int64_t* counts, int shift) {
    if (box.below < 0) {
        std::int64_t all = 0;
        for (std::size_t bin = 0; bin < bins; ++bin) all += counts[bin];
        const auto ranks = box.last - box.first;
        const auto half = box.middle() - box.first;
        box.below = all / ranks * half + all % ranks * half / ranks;
    }
    std::size_t bin = 0;
    while (bin + 1 < bins && box.below >= counts[bin]) box.below -= counts[bin++];
    box.cut |= static_cast<std::uint64_t>(bin) << shift;
}

void find_cuts(MPI_Comm comm, const std::vector<double>& at, const std::vector<std::uint64_t>& box_of,
               std::vector<Region>& boxes) {
    std::vector<std::int64_t> counts;
    for (int shift = 56; shift >= 0; shift -= 8) {
        agree(comm, [&] { counts.assign(boxes.size() * bins, 0); });
        for (std::size_t i = 0; i < at.size(); ++i) {
            const std::uint64_t key = ordered(at[i]), known = boxes[box_of[i]].cut;
            if (shift == 56 || (key ^ known) >> (shift + 8) == 0) ++counts[box_of[i] * bins + (key >> shift) % bins];
        }
        communicate(comm, [&](const Agreed& all) { all.all_reduce(counts.data(), static_cast<int>(counts.size()), MPI_SUM); });
        for (std::size_t b = 0; b < boxes.size(); ++b)
            if (boxes[b].last - boxes[b].first > 1) take_byte(boxes[b], &counts[b * bins], shift);
    }
}

// Each box by its two halves; one of a single rank stays.
std::vector<Region> halves(const std::vector<Region>& boxes, std::vector<std::uint64_t>& lower_half) {
    std::vector<Region> next;
    lower_half.clear();
    for (const Region& box : boxes) {
        lower_half.push_back(next.size());
        if (box.last - box.first == 1) {
            next.push_back(box);
            continue;
        }
        next.push_back({.first = box.first, .last = box.middle()});
        next.push_back({.first = box.middle(), .last = box.last});
    }
    return next;
}

}  // namespace

void distribute_in_boxes(MPI_Comm comm, PointSet& points) {
    const auto ranks = static_cast<std::size_t>(size_of(comm));
    if (ranks == 1) return;
    std::vector<Region> boxes, next;
    std::vector<std::uint64_t> box_of, lower_half;
    agree(comm, [&] {
        boxes = {{.first = 0, .last = static_cast<int>(ranks)}};
        box_of.assign(points.size(), 0);
    });
    const std::array coordinates{&points.x, &points.y, &points.z};
    for (std::size_t axis = 0; boxes.size() < ranks; axis = (axis + 1) % 3) {
        const std::vector<double>& at = *coordinates[axis];
        find_cuts(comm, at, box_of, boxes);
        agree(comm, [&] { next = halves(boxes, lower_half); });
        for (std::size_t i = 0; i < at.size(); ++i) {
            const Region& box = boxes[box_of[i]];
            const bool upper = box.last - box.first > 1 && ordered(at[i]) >= box.cut;
            box_of[i] = lower_half[box_of[i]] + (upper ? 1 : 0);
        }
        boxes.swap(next);
    }
    send_to_owners(comm, box_of, points);  // boxes are in the ranks' order
}

}  // namespace gravlet
