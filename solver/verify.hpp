// SPDX-License-Identifier: Apache-2.0
// Two equal cells on different ranks come to light in the remote walk, as a pair at distance zero; here they get their names.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/stage_in.hpp"

namespace gravlet {

/// Local. Throws Error(invalid_input) if sorted target `target` is a cell at the place of a remote cell.
template <class Exec>
void reject_remote_twin(const Exec& exec, const Input& input, const Bodies<Exec>& b, const TreeView& remote,
                        std::uint32_t target) {
    if (target == no_target) return;
    const Source cell = read(exec, b.bodies.data() + target);
    const Source* const sources = remote.sources;
    const std::size_t twins = transform_reduce(
        exec, remote.source_count,
        [=] GRAVLET_HD(std::size_t i) {
            const Source& s = sources[i];
            return std::size_t{s.softening == 0.0f && s.x == cell.x && s.y == cell.y && s.z == cell.z};
        },
        std::size_t{0}, [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
    if (twins == 0) return;
    const std::size_t i = read(exec, b.order.data() + target);
    reject_twin_elsewhere(input.as_given(), i, read_body(exec, input, i));
}

}  // namespace gravlet
