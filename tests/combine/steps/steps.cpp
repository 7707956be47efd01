// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/steps/steps.hpp"

#include "tests/combine/draw/draw.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gravlet::combine {
namespace {

class Changes {
public:
    Changes(const Case& c, Bodies& bodies, std::uint64_t seed) : case_(c), bodies_(bodies), random_(seed) {}

    /// Each with the probability `share`.
    void give_other_masses(double share) {
        const auto change = [&](double& m) {
            if (random_.chance(share)) m = rounded(m * random_.uniform(0.5, 2.0), case_.layout.float_masses);
        };
        for (Cell& cell : bodies_.cells) change(cell.mass);
        for (Point& point : bodies_.points) change(point.mass);
        for (Patch& patch : bodies_.patches)
            for (double& density : patch.density) change(density);
    }

    void give_one_mass() {
        double* least = nullptr;
        const auto look = [&](double& m) {
            if (m > 0.0 && (least == nullptr || m < *least)) least = &m;
        };
        for (Cell& cell : bodies_.cells)
            if (acts(cell.source_class)) look(cell.mass);
        for (Point& point : bodies_.points)
            if (acts(point.source_class)) look(point.mass);
        for (Patch& patch : bodies_.patches)
            for (double& density : patch.density)
                if (acts(0)) look(density);
        if (least != nullptr) *least = rounded(*least * (1.0 + 0x1p-20), case_.layout.float_masses);
    }

    /// Each with the probability `share`.
    void move(double share) {
        if (bodies_.points.empty()) return drop_one();
        const Vector reach = reach_of_points();
        for (Point& point : bodies_.points)
            for (std::size_t d = 0; d < 3 && random_.chance(share); ++d) move(point.x[d], d, 0.01 * reach[d] * random_.normal());
    }
    double draw_share() { return random_.wide(0.003, 1.0); }

    void add_one() {
        if (!bodies_.points.empty()) {
            Point point = any(bodies_.points);
            const Vector reach = reach_of_points();
            for (std::size_t d = 0; d < 3; ++d) move(point.x[d], d, 0.1 * reach[d] * random_.normal());
            point.rank = random_.whole(0, case_.ranks - 1);
            bodies_.points.push_back(point);
        } else if (!bodies_.cells.empty()) {
            divide(random_.bits() % bodies_.cells.size());
        } else {
            drop_one();
        }
    }

    /// The option's, which may be another now; in a periodic box Plummer's kernel has it for all.
    void take_softening() {
        const Options& o = case_.options;
        const bool one_for_all = is_periodic(o) && o.softening_kernel == SofteningKernel::plummer;
        for (Point& point : bodies_.points)
            if (!case_.layout.own_softenings || one_for_all) point.softening = o.softening;
    }

    /// Of what does not act nobody reads the mass.
    template <class Body>
    void spoil(Body& body, double mass) const {
        body.mass = mass;
        while (!acts(body.source_class)) body.source_class = (body.source_class + 1) % 8;
    }
    void spoil_mass(double value) {
        if (!bodies_.points.empty()) {
            spoil(any(bodies_.points), value);
        } else if (!bodies_.cells.empty()) {
            spoil(any(bodies_.cells), value);
        } else {
            any(any(bodies_.patches).density) = value;
        }
    }

    void spoil_place() {
        const std::size_t d = random_.bits() % 3;
        const bool domain = is_periodic(case_.options) && random_.chance(0.5);
        const double value = domain ? case_.options.domain->upper[d] + 0.5 * side(d) : std::numeric_limits<double>::infinity();
        if (!bodies_.points.empty()) {
            any(bodies_.points).x[d] = value;
        } else if (!bodies_.cells.empty()) {
            any(bodies_.cells).x[d] = value;
        } else {
            any(bodies_.patches).lower[d] = value;
        }
    }

    /// What is found without a search among all: at one place, on any rank if there is mass (others are sent to nobody); or on
    /// one rank by most of the shortest side.
    void overlap() {
        const bool same_place = random_.chance(0.5), dealt_out = case_.options.redistribute && case_.ranks > 1;
        const double shift = same_place || dealt_out ? 0.0 : 0.3;  // dealt out, two that overlap may be of two ranks: unseen
        const auto add_another = [&](auto& things, auto place) {
            auto thing = any(things);
            const auto d = static_cast<std::size_t>(std::ranges::min_element(thing.side) - thing.side.begin());
            (thing.*place)[d] += shift * thing.side[d];
            if (shift == 0.0 && has_mass(thing)) thing.rank = random_.whole(0, case_.ranks - 1);
            things.push_back(thing);
        };
        if (!bodies_.cells.empty()) {
            add_another(bodies_.cells, &Cell::x);
        } else if (!bodies_.patches.empty()) {
            add_another(bodies_.patches, &Patch::lower);
        } else {
            spoil_mass(std::numeric_limits<double>::infinity());
        }
    }

private:
    template <class T>
    T& any(std::vector<T>& things) {
        return things[random_.bits() % things.size()];
    }
    static bool has_mass(const Cell& cell) { return cell.mass > 0.0; }
    static bool has_mass(const Patch& patch) {
        return std::ranges::any_of(patch.density, [](double density) { return density > 0.0; });
    }
    [[nodiscard]] bool acts(int source_class) const { return (case_.options.acting_classes >> source_class & 1) != 0; }
    static double rounded(double x, bool single) { return single ? as_float(x) : x; }
    [[nodiscard]] double side(std::size_t d) const { return case_.options.domain->upper[d] - case_.options.domain->lower[d]; }

    [[nodiscard]] Vector reach_of_points() const {
        Vector reach{};
        for (const Point& point : bodies_.points)
            for (std::size_t d = 0; d < 3; ++d) reach[d] = std::max(reach[d], std::abs(point.x[d] - bodies_.points[0].x[d]));
        return reach;
    }

    void move(double& x, std::size_t d, double by) {
        const double old = x;
        x += by;
        if (case_.options.domain) {
            const Box& box = *case_.options.domain;
            if (case_.options.boundary[d] == Boundary::periodic) x -= std::floor((x - box.lower[d]) / side(d)) * side(d);
            x = std::clamp(x, box.lower[d], box.upper[d]);
            const double single = rounded(x, true);
            if (case_.layout.float_positions && (single < box.lower[d] || single > box.upper[d])) x = old;
        }
        x = rounded(x, case_.layout.float_positions);
    }

    void drop_one() {
        const auto drop = [&](auto& things) {
            things.erase(things.begin() + random_.whole(0, static_cast<int>(things.size()) - 1));
        };
        if (bodies_.cells.size() > 1) {
            drop(bodies_.cells);
        } else if (bodies_.patches.size() > 1) {
            drop(bodies_.patches);
        }
    }

    /// Into eight.
    void divide(std::size_t number) {
        Cell cell = bodies_.cells[number];
        const Vector middle = cell.x;
        cell.mass *= 0.125;
        for (double& s : cell.side) s *= 0.5;
        for (int child = 0; child < 8; ++child) {
            for (std::size_t d = 0; d < 3; ++d) cell.x[d] = middle[d] + ((child >> d & 1) - 0.5) * cell.side[d];
            if (child == 0) bodies_.cells[number] = cell;
            if (child > 0) bodies_.cells.insert(bodies_.cells.begin() + static_cast<std::ptrdiff_t>(number) + child, cell);
        }
    }

    const Case& case_;
    Bodies& bodies_;
    Random random_;
};

}  // namespace

Options lengths_after(const Step& step, Options options) {
    Random random(step.seed + 700);
    options.softening *= random.uniform(0.5, 1.0);
    if (options.shear != 0.0) options.shear *= random.uniform(-2.0, 2.0);
    const bool lattice = is_periodic(options) && options.uniform_mesh == UniformMesh::convolution;  // it must fit the box
    if (!options.domain || lattice || random.chance(0.3)) return options;
    for (std::size_t d = 0; d < 3; ++d) {
        double &lower = options.domain->lower[d], &upper = options.domain->upper[d];
        const double side = upper - lower;
        lower -= random.uniform(0.0, 0.3) * side, upper += random.uniform(0.0, 0.3) * side;
    }
    return options;
}

Bodies after(const Step& step, const Case& c, Bodies bodies) {
    Changes changes(c, bodies, step.seed);
    switch (step.act) {
        case Act::again: break;
        case Act::other_masses: changes.give_other_masses(1.0); break;
        case Act::some_masses: changes.give_other_masses(changes.draw_share()); break;
        case Act::one_mass: changes.give_one_mass(); break;
        case Act::moved: changes.move(1.0); break;
        case Act::some_moved: changes.move(changes.draw_share()); break;
        case Act::one_more: changes.add_one(); break;
        case Act::other_lengths: changes.take_softening(); break;
        case Act::bad_mass: changes.spoil_mass(-1.0); break;
        case Act::bad_nan: changes.spoil_mass(std::numeric_limits<double>::quiet_NaN()); break;
        case Act::bad_place: changes.spoil_place(); break;
        case Act::bad_overlap: changes.overlap(); break;
    }
    Random random(step.seed + 500);
    if (step.other_active) draw_active(random, c.ranks, bodies);
    return bodies;
}

}  // namespace gravlet::combine
