// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/gather_errors.hpp"

#include "solver/data/validate_input.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace gravlet {
namespace {

void reject_bad_body(const Input& input, const Domain& domain) {
    for (std::size_t i = 0; i < input.size(); ++i) {
        const Body body = input.body(i);
        if (!acceptable(body, input.is_point(i), domain)) reject_body(input, i, body, domain);
    }
}

/// The two cells at one place that come first in the caller's order.
void reject_own_twins(const Input& input) {
    const auto place = [&](std::size_t i) {
        const Body body = input.body(i);
        return std::tuple(body.x, body.y, body.z);
    };
    std::vector<std::size_t> order(input.cell_count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    std::size_t first = input.cell_count, second = 0;
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
        if (order[k] >= first || place(order[k]) != place(order[k + 1])) continue;
        first = order[k];
        second = order[k + 1];
    }
    if (first < input.cell_count) reject_pair(input, first, second, input.body(first));
}

}  // namespace

Outcome in_callers_ranks(const std::exception_ptr& caught, const RankGroup& group, const Communicator& all) noexcept {
    Outcome out(caught);
    int rank = all.rank();
    try {
        std::rethrow_exception(caught);
    } catch (const AgreedError& error) {
        out = Outcome(error.code(), error.text());
        if (error.rank() != no_rank) rank = group.leader_ranks()[static_cast<std::size_t>(error.rank())];
    } catch (...) {  // of this leader alone
    }
    // Bodies are named with their ranks; all else is the leader's.
    if (out.code != static_cast<int>(ErrorCode::invalid_input) && all.size() > 1) out.rank = rank;
    return out;
}

void reject_own_bodies(Stages& stages, const std::optional<GatherView>& mine, const Options& options) {
    stages.local([&] { reject_bad_body(mine->input(), Domain(options)); });
    stages.agree();
    stages.local([&] { reject_own_twins(mine->input()); });
    stages.agree();
}

}  // namespace gravlet
