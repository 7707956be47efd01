// SPDX-License-Identifier: Apache-2.0
// Which rank holds what, and how it keeps its arrays.
#include "tests/combine/draw/draw.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet::combine {
namespace {

/// Along a curve, by random, on one rank, on some of them, in slabs, by turns.
enum class Deal { curve, random, one, some, slabs, turns };

class Dealer {
public:
    Dealer(Random& random, int ranks) : random_(random), ranks_(ranks) {
        deal_ = random.one_of({Deal::curve, Deal::curve, Deal::random, Deal::one, Deal::some, Deal::slabs, Deal::turns});
        axis_ = random.bits() % 3;
        only_ = random.whole(0, ranks - 1);
    }

    /// Of all things at once; `place_of(thing)` is where each is.
    template <class Thing, class Place>
    void share(std::vector<Thing>& things, Place place_of) {
        if (deal_ == Deal::curve || deal_ == Deal::slabs)
            std::ranges::stable_sort(things, {}, [&](const Thing& thing) { return key_of(place_of(thing)); });
        for (std::size_t i = 0; i < things.size(); ++i) things[i].rank = rank_of(i, things.size());
    }

    void set_box(const Vector& lower, const Vector& upper) { lower_ = lower, upper_ = upper; }

private:
    [[nodiscard]] double share_of(const Vector& x, std::size_t d) const {
        return upper_[d] > lower_[d] ? (x[d] - lower_[d]) / (upper_[d] - lower_[d]) : 0.0;
    }
    /// Morton's order, or a coordinate's.
    [[nodiscard]] double key_of(const Vector& x) const {
        if (deal_ == Deal::slabs) return share_of(x, axis_);
        double key = 0.0;
        for (int level = 1; level <= 8; ++level)
            for (std::size_t d = 0; d < 3; ++d)
                key = 2.0 * key + std::fmod(std::floor(std::clamp(share_of(x, d), 0.0, 0.9999) * std::ldexp(1.0, level)), 2.0);
        return key;
    }
    int rank_of(std::size_t i, std::size_t count) {
        switch (deal_) {
            case Deal::curve:
            case Deal::slabs: return static_cast<int>(i * static_cast<std::size_t>(ranks_) / count);
            case Deal::random: return random_.whole(0, ranks_ - 1);
            case Deal::one: return only_;
            case Deal::some: return (only_ + random_.whole(0, ranks_ / 2)) % ranks_;
            case Deal::turns: return static_cast<int>(i % static_cast<std::size_t>(ranks_));
        }
        return 0;
    }

    Random& random_;
    int ranks_;
    Deal deal_;
    std::size_t axis_;
    int only_;
    Vector lower_{}, upper_{1.0, 1.0, 1.0};
};

template <class Thing, class Place>
void extend(const std::vector<Thing>& things, Place place_of, Vector& lower, Vector& upper) {
    for (const Thing& thing : things)
        for (std::size_t d = 0; d < 3; ++d) {
            lower[d] = std::min(lower[d], place_of(thing)[d]);
            upper[d] = std::max(upper[d], place_of(thing)[d]);
        }
}

void round_to_float(const Space& space, Bodies& bodies) {
    const auto inside = [&](double x, std::size_t d) {
        float f = static_cast<float>(x);
        if (f < space.lower[d]) f = std::nextafter(f, INFINITY);
        if (f > space.upper[d]) f = std::nextafter(f, -INFINITY);
        return static_cast<double>(f);
    };
    for (Point& point : bodies.points)
        for (std::size_t d = 0; d < 3; ++d) point.x[d] = inside(point.x[d], d);
}

void round_masses(Bodies& bodies) {
    const auto round = [](double& m) { m = as_float(m); };
    for (Cell& cell : bodies.cells) round(cell.mass);
    for (Point& point : bodies.points) round(point.mass), round(point.softening);
    for (Patch& patch : bodies.patches)
        for (double& density : patch.density) round(density);
}

bool is_near_one(double unit) { return unit > 1e-3 && unit < 1e3; }

/// Guards and faces are refused elsewhere (cells.hpp).
bool may_have_guards(const Space& space, const Case& c) {
    const bool all = space.periodic[0] && space.periodic[1] && space.periodic[2];
    return c.options.theta != 0.0 && !c.options.redistribute && (all || !space.any_periodic()) &&
           (c.options.backend == Backend::cpu || c.options.gpu_sharing == GpuSharing::share);
}

}  // namespace

void draw_ranks(Random& random, Case& c) {
    Dealer dealer(random, c.ranks);
    Vector lower{INFINITY, INFINITY, INFINITY}, upper{-INFINITY, -INFINITY, -INFINITY};
    const auto at = [](const auto& body) { return body.x; };
    const auto corner = [](const Patch& patch) { return patch.lower; };
    extend(c.bodies.cells, at, lower, upper), extend(c.bodies.points, at, lower, upper);
    extend(c.bodies.patches, corner, lower, upper);
    dealer.set_box(lower, upper);
    dealer.share(c.bodies.cells, at);
    dealer.share(c.bodies.points, at);
    dealer.share(c.bodies.patches, corner);
}

void draw_layout(Random& random, const Space& space, Case& c) {
    Layout& l = c.layout;
    const bool mesh = !c.bodies.cells.empty() || !c.bodies.patches.empty();
    const bool plain = is_near_one(space.unit) && is_near_one(space.mass) && is_near_one(c.options.G);
    l.float_positions = plain && (space.neat || !mesh) && random.chance(0.15);
    l.float_masses = plain && random.chance(0.15);
    l.float_results = plain && random.chance(0.15);
    if (c.language == Language::fortran) l.float_masses = l.float_results = l.float_positions;  // arrays of a call are alike
    if (l.float_positions) round_to_float(space, c.bodies);
    if (l.float_masses) {
        if (space.any_periodic() && c.options.softening_kernel == SofteningKernel::plummer) l.own_softenings = false;
        round_masses(c.bodies);
        if (!l.own_softenings)
            for (Point& point : c.bodies.points) point.softening = c.options.softening;
    }
    l.cubes = std::ranges::all_of(c.bodies.cells,
                                  [](const Cell& cell) { return cell.side[0] == cell.side[1] && cell.side[1] == cell.side[2]; });
    l.padding = random.chance(0.5) ? 0 : random.whole(1, 2);
    l.step = random.chance(0.6) ? 1 : random.whole(2, 4);
    l.axes = random.one_of({Index{0, 1, 2}, Index{0, 1, 2}, Index{2, 1, 0}, Index{1, 2, 0}});
    l.mirrored = random.chance(0.1);
    l.apart = random.chance(0.4);
    if (c.bodies.patches.empty() || !may_have_guards(space, c)) return;
    if (random.chance(0.4))
        for (int& guards : l.guards) guards = random.whole(0, 2);
    l.faces = random.chance(0.3);
}

}  // namespace gravlet::combine
