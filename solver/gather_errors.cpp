// SPDX-License-Identifier: Apache-2.0
#include "solver/gather_errors.hpp"

#include "mpi/agreement.hpp"
#include "solver/validate_input.hpp"

#include <algorithm>
#include <charconv>
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

Error in_callers_ranks(const Error& error, const RankGroup& group, const Communicator& all) {
    std::string text = error.what();
    std::size_t leader = 0;
    constexpr std::string_view word = "rank ";
    if (group.leaders().size() > 1 && text.starts_with(word)) {
        const char* const end = text.data() + text.size();
        const auto [rest, code] = std::from_chars(text.data() + word.size(), end, leader);
        if (code == std::errc() && std::string_view(rest, static_cast<std::size_t>(end - rest)).starts_with(": "))
            text.erase(0, static_cast<std::size_t>(rest - text.data()) + 2);
    }
    // Bodies are named with their ranks; all else is the leader's.
    if (error.code() != ErrorCode::invalid_input && all.size() > 1)
        text = "rank " + std::to_string(group.leader_ranks().at(leader)) + ": " + text;
    return Error(error.code(), text);
}

void reject_own_bodies(const Communicator& all, const Input& mine, const Options& options) {
    agree(all, [&] { reject_bad_body(mine, Domain(options)); });
    agree(all, [&] { reject_own_twins(mine); });
}

}  // namespace gravlet
