// SPDX-License-Identifier: Apache-2.0
// Two cells of different ranks at one place: what is so near was sent, so that each cell that was received is looked up among
// this rank's bodies, with mass or without.
#pragma once

#include "mpi/stages.hpp"
#include "physics/keys.hpp"
#include "physics/partition_point.hpp"
#include "solver/data/bodies.hpp"
#include "solver/order/stage_in.hpp"

#include <utility>

namespace gravlet {

/// Whether no cells of two ranks are known to be at one place: none were in the last solve, and no rank's bodies have moved
/// since.
class KnownApart {
public:
    /// Collective. `asked`: whether targets are sent less than it takes to see it, the same on all ranks; `kept`: whether this
    /// rank's bodies are where they were.
    template <class Run>
    void look(const Run& run, bool asked, bool kept) {
        unsure_ = asked;
        if (!std::exchange(found_none_, false) || !asked) return;
        int all_kept = kept ? 1 : 0;
        run.collective("stage_in", [&](const Agreed& all) { all.all_reduce(&all_kept, 1, MPI_MIN); });
        unsure_ = all_kept == 0;
    }
    /// A solve has come to its end on all ranks: there were none.
    void none() { found_none_ = true; }
    /// Whether it is still to be seen.
    [[nodiscard]] bool unsure() const { return unsure_; }

private:
    bool found_none_ = false, unsure_ = false;
};

/// The first of the sorted bodies that is a cell at the place of this source, or n. `keys`: the bodies', of `levels` levels.
GRAVLET_HD inline std::size_t cell_at(const Source& source, const RootCube& cube, int levels, const key_type* keys,
                                      const Source* bodies, std::size_t n) {
    const key_type key = hilbert_key(cube.place(source), levels);
    const std::size_t begin = partition_point(std::size_t{0}, n, [=](std::size_t i) { return keys[i] < key; });
    for (std::size_t i = begin; i < n && keys[i] == key; ++i) {
        const Source& body = bodies[i];
        if (body.softening == 0.0f && body.x == source.x && body.y == source.y && body.z == source.z) return i;
    }
    return n;
}

/// Local. The first of this rank's sorted bodies that is a cell at the place of another rank's, or their number. `received`:
/// sources of other ranks, backend memory.
template <class Exec>
std::size_t remote_twin(const Exec& exec, const Frame& frame, const Bodies<Exec>& b, const Source* received, std::size_t count) {
    const std::size_t n = b.count;
    if (!frame.cells) return n;
    const key_type* const keys = b.keys.data();
    const Source* const bodies = b.bodies.data();
    const RootCube cube = frame.cube;
    const int levels = levels_of_keys(frame);
    return transform_reduce(
        exec, count,
        [=] GRAVLET_HD(std::size_t k) {
            return received[k].softening > 0.0f ? n : cell_at(received[k], cube, levels, keys, bodies, n);  // a point
        },
        n, [] GRAVLET_HD(std::size_t p, std::size_t q) { return p < q ? p : q; });
}

/// Local. Throws Error(invalid_input) if a body of this rank has a remote twin.
template <class Exec>
void reject_remote_twin(const Exec& exec, const Input& input, const Frame& frame, const Bodies<Exec>& b, const Source* received,
                        std::size_t count) {
    const std::size_t twin = remote_twin(exec, frame, b, received, count);
    if (twin == b.count) return;
    const std::size_t i = read(exec, b.order.data() + twin);
    reject_twin_elsewhere(input.as_given(), i, read_body(exec, input, i));
}

}  // namespace gravlet
