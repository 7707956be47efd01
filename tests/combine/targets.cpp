// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/targets.hpp"

#include "tests/combine/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace gravlet::combine {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();  // not wanted

/// The cells on whose centres a guard cell lies, up to rounding and periods.
std::vector<std::size_t> cells_below(const std::vector<Mass>& masses, const Options& options, const Vector& x,
                                     const Vector& side) {
    const double within = 0.01 * std::ranges::min(side);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < masses.size(); ++i) {
        bool here = !masses[i].point;
        for (std::size_t d = 0; here && d < 3; ++d) {
            double r = x[d] - masses[i].x[d];
            if (options.boundary[d] == Boundary::periodic) {
                const double period = options.domain->upper[d] - options.domain->lower[d];
                r -= period * std::round(r / period);
            }
            here = std::abs(r) < within;
        }
        if (here) found.push_back(i);
    }
    return found;
}

/// All that results are wanted of, but for guards and faces.
std::vector<Target> all_targets(const Bodies& bodies) {
    std::vector<Target> out;
    std::ptrdiff_t mass = 0;
    for (std::size_t i = 0; i < bodies.cells.size(); ++i, ++mass) {
        const Cell& cell = bodies.cells[i];
        if (cell.active) out.push_back({Kind::cell, i, {}, 0, cell.rank, {cell.x, 0.0, false, mass}});
    }
    for (std::size_t b = 0; b < bodies.patches.size(); ++b) {
        const Patch& patch = bodies.patches[b];
        for (int k = 0; k < patch.n[2]; ++k)
            for (int j = 0; j < patch.n[1]; ++j)
                for (int i = 0; i < patch.n[0]; ++i, ++mass)
                    if (patch.active)
                        out.push_back(
                            {Kind::block_cell, b, {i, j, k}, 0, patch.rank, {centre_of(patch, i, j, k), 0.0, false, mass}});
    }
    for (std::size_t i = 0; i < bodies.points.size(); ++i, ++mass) {
        const Point& point = bodies.points[i];
        if (point.active) out.push_back({Kind::point, i, {}, 0, point.rank, {point.x, point.softening, true, mass}});
    }
    return out;
}

class Sample {
public:
    Sample(const std::vector<Target>& all, const std::vector<Mass>& masses) : all_(all), masses_(masses) {}

    template <class Value>
    void add_least(Value value) {
        if (all_.empty()) return;
        const auto by_value = [&](const Target& t) { return value(t.place); };
        chosen_.insert(static_cast<std::size_t>(std::ranges::min_element(all_, {}, by_value) - all_.begin()));
    }
    void add_extremes() {
        for (std::size_t d = 0; d < 3; ++d) {
            add_least([d](const Place& p) { return p.x[d]; });
            add_least([d](const Place& p) { return -p.x[d]; });
        }
        add_least([&](const Place& p) { return -masses_[static_cast<std::size_t>(p.self)].mass; });
        if (masses_.size() <= 1000) add_least([&](const Place& p) { return nearest_neighbour(p); });
    }
    void add_random(Random& random, std::size_t count) {
        for (std::size_t i = 0; i < 4 * count && chosen_.size() < std::min(count, all_.size()); ++i)
            chosen_.insert(random.bits() % all_.size());
    }
    [[nodiscard]] std::vector<Target> targets() const {
        std::vector<Target> out;
        for (const std::size_t i : chosen_) out.push_back(all_[i]);
        return out;
    }

private:
    [[nodiscard]] double nearest_neighbour(const Place& place) const {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < masses_.size(); ++i) {
            const Vector& x = masses_[i].x;
            if (static_cast<std::ptrdiff_t>(i) == place.self) continue;
            least = std::min(least, std::hypot(x[0] - place.x[0], x[1] - place.x[1], x[2] - place.x[2]));
        }
        return least;
    }

    const std::vector<Target>& all_;
    const std::vector<Mass>& masses_;
    std::set<std::size_t> chosen_;
};

/// None where it lies on several cells, so much finer that which of them it is taken for is chance.
std::optional<Target> draw_guard(Random& random, const Case& c, const Bodies& bodies, const Reference& reference, std::size_t b) {
    const Patch& patch = bodies.patches[b];
    Target target{Kind::guard, b, {}, 0, patch.rank, {}};
    for (std::size_t d = 0; d < 3; ++d) target.at[d] = random.whole(-c.layout.guards[d], patch.n[d] - 1 + c.layout.guards[d]);
    target.place.x = centre_of(patch, target.at[0], target.at[1], target.at[2]);
    const std::vector<std::size_t> below = cells_below(reference.masses(), c.options, target.place.x, patch.side);
    if (below.size() > 1) return std::nullopt;
    if (below.empty()) return target;
    target.place.x = reference.masses()[below[0]].x;
    target.place.self = static_cast<std::ptrdiff_t>(below[0]);
    target.place.side = patch.side;
    return target;
}

Target draw_face(Random& random, const Bodies& bodies, std::size_t b) {
    const Patch& patch = bodies.patches[b];
    Target target{Kind::face, b, {}, random.bits() % 3, patch.rank, {}};
    for (std::size_t d = 0; d < 3; ++d) {
        target.at[d] = random.whole(0, patch.n[d] - (d == target.axis ? 0 : 1));
        target.place.x[d] = patch.lower[d] + (target.at[d] + (d == target.axis ? 0.0 : 0.5)) * patch.side[d];
    }
    return target;
}

}  // namespace

std::string Target::name() const {
    switch (kind) {
        case Kind::cell: return fmt::format("cell {}", number);
        case Kind::point: return fmt::format("point {}", number);
        case Kind::probe: return fmt::format("probe {}", number);
        case Kind::block_cell: return fmt::format("cell ({}, {}, {}) of block {}", at[0], at[1], at[2], number);
        case Kind::guard: return fmt::format("guard cell ({}, {}, {}) of block {}", at[0], at[1], at[2], number);
        case Kind::face: return fmt::format("face ({}, {}, {}) of axis {} of block {}", at[0], at[1], at[2], axis, number);
    }
    return "";
}

std::vector<Target> sample_targets(const Case& c, const Bodies& bodies, const Reference& reference, std::size_t count) {
    Random random(c.seed + 77);
    const std::vector<Target> all = all_targets(bodies);
    Sample sample(all, reference.masses());
    sample.add_extremes();
    sample.add_random(random, count);
    std::vector<Target> targets = sample.targets();
    for (std::size_t i = 0; i < bodies.probes.size(); ++i)
        targets.push_back({Kind::probe, i, {}, 0, bodies.probes[i].rank, {bodies.probes[i].x}});
    const bool guards = c.layout.guards != Index{};
    for (std::size_t i = 0; i < 6 && !bodies.patches.empty(); ++i) {
        const std::size_t b = random.bits() % bodies.patches.size();
        if (!bodies.patches[b].active) continue;
        if (guards)
            if (const auto guard = draw_guard(random, c, bodies, reference, b)) targets.push_back(*guard);
        if (c.layout.faces) targets.push_back(draw_face(random, bodies, b));
    }
    return targets;
}

Told told(const Target& target, const Arrays& arrays) {
    Told out{nan, {nan, nan, nan}, {nan, nan, nan, nan, nan, nan}};
    const auto number = [](double x) { return std::isnan(x) ? INFINITY : x; };
    const auto read = [&](const Results& results, std::size_t i) {
        if (!results.potential.empty()) out.potential = number(results.potential[i]);
        for (std::size_t d = 0; d < 3; ++d)
            if (!results.acceleration[d].empty()) out.acceleration[d] = number(results.acceleration[d][i]);
        for (std::size_t k = 0; k < 6; ++k)
            if (!results.tidal[k].empty()) out.tidal[k] = number(results.tidal[k][i]);
    };
    if (target.kind == Kind::cell || target.kind == Kind::point || target.kind == Kind::probe) {
        const BodyArrays& b = target.kind == Kind::cell    ? arrays.cells
                              : target.kind == Kind::point ? arrays.points
                                                           : arrays.probes;
        read(b.results, static_cast<std::size_t>(std::ranges::lower_bound(b.number, target.number) - b.number.begin()));
        return out;
    }
    const PatchArrays& patch = *std::ranges::find(arrays.patches, target.number, &PatchArrays::number);
    const auto& [i, j, k] = target.at;
    if (target.kind == Kind::face) {
        out.acceleration[target.axis] = number(patch.faces[target.axis][patch.at_faces[target.axis].at(i, j, k)]);
    } else {
        read(patch.results, patch.outputs.at(i, j, k));
    }
    return out;
}

}  // namespace gravlet::combine
