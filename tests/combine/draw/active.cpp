// SPDX-License-Identifier: Apache-2.0
// Whose results are wanted: a share, few, one of all, none, none of a rank, those about a place, every other one, a run.
#include "tests/combine/draw/draw.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet::combine {
namespace {

struct Flag {
    bool* active;
    Vector x;
    int rank;
};

std::vector<Flag> flags_of(Bodies& bodies) {
    std::vector<Flag> all;
    for (Cell& cell : bodies.cells) all.push_back({&cell.active, cell.x, cell.rank});
    for (Patch& patch : bodies.patches) all.push_back({&patch.active, patch.lower, patch.rank});
    for (Point& point : bodies.points) all.push_back({&point.active, point.x, point.rank});
    return all;
}

double distance(const Vector& a, const Vector& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

enum class Pattern { all, share, few, one, none, not_of_a_rank, about_a_place, turns, run };

}  // namespace

void draw_active(Random& random, int ranks, Bodies& bodies) {
    std::vector<Flag> all = flags_of(bodies);
    const Pattern pattern = random.one_of({Pattern::all, Pattern::share, Pattern::few, Pattern::few, Pattern::one, Pattern::none,
                                           Pattern::not_of_a_rank, Pattern::about_a_place, Pattern::turns, Pattern::run});
    const double share = random.uniform(), few = random.wide(1e-3, 0.1);
    const std::size_t chosen = random.bits() % all.size(), every = static_cast<std::size_t>(random.whole(2, 9)),
                      count = std::max<std::size_t>(
                          1, static_cast<std::size_t>((share < 0.5 ? few : share) * static_cast<double>(all.size())));
    const int poor = random.whole(0, ranks - 1);
    const Vector middle = all[chosen].x;
    if (pattern == Pattern::about_a_place)
        std::ranges::stable_sort(all, {}, [&](const Flag& flag) { return distance(flag.x, middle); });
    const std::size_t first = pattern == Pattern::about_a_place ? 0 : chosen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto is_active = [&] {
            switch (pattern) {
                case Pattern::all: return true;
                case Pattern::share: return random.chance(share);
                case Pattern::few: return random.chance(few);
                case Pattern::one: return i == chosen;
                case Pattern::none: return false;
                case Pattern::not_of_a_rank: return all[i].rank != poor;
                case Pattern::about_a_place:
                case Pattern::run: return i >= first && i - first < count;
                case Pattern::turns: return i % every == 0;
            }
            return true;
        };
        *all[i].active = is_active();
    }
}

}  // namespace gravlet::combine
