// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/steps/said.hpp"

#include "tests/combine/random.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet::combine {
namespace {

bool same(const Cell& a, const Cell& b) {
    return a.x == b.x && a.side == b.side && a.mass == b.mass && a.source_class == b.source_class;
}
bool same(const Point& a, const Point& b) {
    return a.x == b.x && a.mass == b.mass && a.softening == b.softening && a.source_class == b.source_class;
}
bool same(const Patch& a, const Patch& b) {
    return a.lower == b.lower && a.side == b.side && a.n == b.n && a.density == b.density;
}

template <class Thing>
std::vector<Thing> held_by(const std::vector<Thing>& things, int rank) {
    std::vector<Thing> out;
    std::ranges::copy_if(things, std::back_inserter(out), [=](const Thing& thing) { return thing.rank == rank; });
    return out;
}

template <class Thing>
void add_flags(const std::vector<Thing>& before, const std::vector<Thing>& now, int rank, std::vector<std::uint8_t>& flags) {
    const std::vector<Thing> then = held_by(before, rank), here = held_by(now, rank);
    for (std::size_t i = 0; i < here.size(); ++i) flags.push_back(i < then.size() && same(then[i], here[i]) ? 0 : 1);
}

}  // namespace

std::optional<std::vector<std::uint8_t>> flags_said(const Step& step, const Bodies& before, const Bodies& now, int rank) {
    Random random(step.seed + 1000 + static_cast<std::uint64_t>(rank));
    if (step.said == Said::nothing || (step.said == Said::more && random.chance(0.2))) return std::nullopt;
    std::vector<std::uint8_t> flags;
    if (step.said == Said::less) return flags;
    add_flags(before.cells, now.cells, rank, flags);
    add_flags(before.patches, now.patches, rank, flags);
    add_flags(before.points, now.points, rank, flags);
    const double further = step.said == Said::more ? random.uniform() : 0.0;
    for (std::uint8_t& flag : flags)
        flag = static_cast<std::uint8_t>(flag != 0 || random.chance(further) ? random.whole(1, 255) : 0);
    if (std::ranges::all_of(flags, [](std::uint8_t flag) { return flag == 0; }) && random.chance(0.5)) flags.clear();
    return flags;
}

bool must_be_found(const Case& c, const Step& step, const Bodies& before, const Bodies& now) {
    const Options& o = c.options;
    if (step.act != Act::one_mass || step.said != Said::less) return false;
    const auto same_all = [](const auto& a, const auto& b) {
        return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return same(x, y); });
    };
    if (same_all(before.cells, now.cells) && same_all(before.patches, now.patches) && same_all(before.points, now.points))
        return false;  // none has mass
    if (o.theta == 0.0 || o.redistribute || o.backend != Backend::cpu) return false;
    const bool has_mesh = !before.cells.empty() || !before.patches.empty();
    if (has_mesh && std::ranges::count(o.boundary, Boundary::periodic) == 3) return false;  // there may be a background
    double all = 0.0, points = 0.0, heaviest = 0.0;
    const auto mass = [&](int source_class, double m) { return (o.acting_classes >> source_class & 1) != 0 ? m : 0.0; };
    for (const Point& point : before.points) {
        points += point.mass, heaviest = std::max(heaviest, point.mass);
        all += mass(point.source_class, point.mass);
    }
    for (const Cell& cell : before.cells) all += mass(cell.source_class, cell.mass);
    for (const Patch& patch : before.patches)
        for (const double density : patch.density) all += mass(0, density * patch.side[0] * patch.side[1] * patch.side[2]);
    const double units = std::log2(all);  // of mass, which are powers of two
    if (!(std::abs(units - std::round(units)) > 1e-5)) return false;
    return before.points.empty() ||
           (!has_mesh && c.options.acting_classes == Options().acting_classes && 100.0 * heaviest < points);
}

}  // namespace gravlet::combine
