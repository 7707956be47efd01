// SPDX-License-Identifier: Apache-2.0
// Two equal cells on different ranks come to light where their trees are merged; here they get their names.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/merge.hpp"
#include "solver/stage_in.hpp"

namespace gravlet {

/// Local. Throws Error(invalid_input) if `twin` is a source of this rank, not no_source.
template <class Exec>
void reject_remote_twin(const Exec& exec, const Input& input, const Bodies<Exec>& b, std::uint32_t twin) {
    if (twin == no_source) return;
    const std::size_t target = b.all_massive() ? twin : read(exec, b.source_target.data() + twin);
    const std::size_t i = read(exec, b.order.data() + target);
    reject_twin_elsewhere(input.as_given(), i, read_body(exec, input, i));
}

}  // namespace gravlet
