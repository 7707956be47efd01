// SPDX-License-Identifier: Apache-2.0
// What no walk visits of a periodic box, at each level of exactness (solver/periodic/far_levels.hpp): against what symmetry says,
// and by itself, where no image is walked, against sums written apart from the library's.
#include "tests/api/body_arrays.hpp"
#include "tests/classical_sum.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace gravlet::test {
namespace {

using Place = std::array<double, 3>;
using Boundaries = std::array<Boundary, 3>;
constexpr Boundary p = Boundary::periodic, i = Boundary::isolated;
constexpr Boundaries ppp{p, p, p}, ppi{p, p, i}, pip{p, i, p}, pii{p, i, i}, ipi{i, p, i};

/// What asks for it, whether the tidal tensor is wanted or not.
struct Level {
    const char* name;
    double theta;
    int order;
};
constexpr Level levels[] = {{"coarse", 1.0, 2}, {"medium", 0.5, 4}, {"fine", 0.2, 4}};
using Bounds = std::array<double, 3>;  ///< of potential, acceleration and tidal tensor, or by level

Box box_of(const Place& sides) { return {{-1.7, 0.3, 2.0}, {-1.7 + sides[0], 0.3 + sides[1], 2.0 + sides[2]}}; }

Options at_level(const Level& level, const Boundaries& boundary, const Place& sides) {
    return {.gpu_sharing = GpuSharing::share,
            .boundary = boundary,
            .theta = level.theta,
            .order = level.order,
            .domain = box_of(sides)};
}

/// Anywhere in a box, one in three on the planes of its quarters.
std::vector<Place> places_in(const Place& sides, int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    std::vector<Place> places;
    for (int n = 0; n < count; ++n) {
        Place place{};
        for (std::size_t d = 0; d < 3; ++d) {
            const double part = uniform(random);
            place[d] = box_of(sides).lower[d] + sides[d] * (n % 3 == 0 ? std::floor(4.0 * part) / 4.0 : part);
        }
        places.push_back(place);
    }
    return places;
}

struct Sums {
    double potential = 0.0;
    std::array<double, 3> acceleration{};
    std::array<double, 6> tidal{};
};

double size_of(const Sums& sums, int derivatives) {
    const auto& [a, t] = std::pair(sums.acceleration, sums.tidal);
    return derivatives == 0 ? std::abs(sums.potential)
           : derivatives == 1
               ? std::hypot(a[0], a[1], a[2])
               : std::sqrt(t[0] * t[0] + t[3] * t[3] + t[5] * t[5] + 2.0 * (t[1] * t[1] + t[2] * t[2] + t[4] * t[4]));
}

/// All points' results, on every rank: points go to ranks in turn.
std::vector<Sums> solve_points(Solver& solver, const BodyArrays& all, bool tidal) {
    const BodyArrays mine =
        part_of(all, [](std::size_t k) { return static_cast<int>(k % static_cast<std::size_t>(world_size())); });
    Result result(mine.size());
    solver.solve(mine.points(), tidal ? result.all_fields() : result.fields());
    std::vector<Sums> sums(all.size());
    for (std::size_t k = 0; k < mine.size(); ++k) {
        Sums& of = sums[mine.index[k]];
        of.potential = result.potential[k];
        for (std::size_t d = 0; d < 3; ++d) of.acceleration[d] = result.acceleration[d][k];
        for (std::size_t c = 0; tidal && c < 6; ++c) of.tidal[c] = result.tidal[c][k];
    }
    static_assert(sizeof(Sums) == 10 * sizeof(double));
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(10 * sums.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sums;
}

BodyArrays points_at(const std::vector<Place>& places, double mass) {
    BodyArrays points;
    for (const Place& at : places) points.add_point(at[0], at[1], at[2], mass);
    return points;
}

struct Case {
    Boundaries boundary;
    Place sides;
    bool fine;  ///< at that level, too, which takes its time
};
const Case cases[] = {{ppp, {1, 1, 1}, true},   {ppp, {1, 1, 2}, false},     {ppp, {1, 2, 8}, false},
                      {ppp, {16, 1, 1}, true},  {ppp, {1, 0.7, 0.6}, false}, {ppi, {1, 1, 1}, false},
                      {pip, {1, 1, 16}, false}, {pii, {1, 1, 1}, false},     {ipi, {1, 2, 8}, true}};

/// L^power, L the shortest period.
double unit_of(const Case& box, int power) {
    double shortest = infinity;
    for (std::size_t d = 0; d < 3; ++d)
        if (box.boundary[d] == p) shortest = std::min(shortest, box.sides[d]);
    return std::pow(shortest, power);
}

/// A mass, and probes at half a period from it, in any of the periodic directions.
BodyArrays half_a_box_apart(const Case& box, const Place& at) {
    BodyArrays all;
    all.add_point(at[0], at[1], at[2], 1.0);
    for (int directions = 1; directions < 8; ++directions) {
        Place to = at;
        for (std::size_t d = 0; d < 3; ++d) {
            if ((directions >> d & 1) == 0 || box.boundary[d] == i) continue;
            const bool lower = at[d] < box_of(box.sides).lower[d] + 0.5 * box.sides[d];
            to[d] += lower ? 0.5 * box.sides[d] : -0.5 * box.sides[d];
        }
        if (to != at) all.add_point(to[0], to[1], to[2], 0.0);
    }
    return all;
}

// Images pull nobody who is half a period away, nor a mass itself, whose potential is the same everywhere. A mass by itself is
// heavy, and so never at the coarse level.
TEST(FarImages, BySymmetry) {
    constexpr std::array<Bounds, 3> of_mass = {{{5e-8, 9e-6, 2e-6}, {5e-8, 9e-6, 2e-6}, {4e-11, 5e-9, 2e-7}}};
    constexpr Bounds of_probes = {2.5e-5, 2.5e-5, 2.5e-9};  // half a box apart two images pull by 4 each
    for (std::size_t l = 0; l < 3; ++l) {
        Bounds mass{};
        double probes = 0.0;
        for (const Case& box : cases) {
            if (l == 2 && !box.fine) continue;
            Solver solver(MPI_COMM_WORLD, at_level(levels[l], box.boundary, box.sides));
            double least = infinity, most = -infinity;
            for (const Place& at : places_in(box.sides, 4, 2)) {
                const std::vector<Sums> sums = solve_points(solver, half_a_box_apart(box, at), true);
                least = std::min(least, sums[0].potential), most = std::max(most, sums[0].potential);
                mass[1] = std::max(mass[1], size_of(sums[0], 1) * unit_of(box, 2));
                for (const std::size_t c : {1UL, 2UL, 4UL})
                    mass[2] = std::max(mass[2], std::abs(sums[0].tidal[c]) * unit_of(box, 3));
                for (std::size_t k = 1; k < sums.size(); ++k) probes = std::max(probes, size_of(sums[k], 1) * unit_of(box, 2));
            }
            mass[0] = std::max(mass[0], (most - least) * unit_of(box, 1));
        }
        for (std::size_t n = 0; n < 3; ++n) EXPECT_LE(mass[n], of_mass[l][n]) << levels[l].name << ", derivatives " << n;
        EXPECT_LE(probes, of_probes[l]) << levels[l].name;
    }
}

/// What a unit mass does, by the classical formulas. Without three periodic directions derivatives are differences, and there is
/// no tidal tensor.
class Reference {
public:
    Reference(const Boundaries& boundary, const Place& sides, double softening)
        : softening_(softening), filament_(boundary == pii ? sides[0] : 0.0), tidal_(boundary == ppp) {
        if (boundary != pii) sum_.emplace(PeriodicBox{sides, {true, true, boundary[2] == p}}, softening);
    }

    void add(double mass, const Vector3& r, Sums& to) const {
        to.potential -= mass * value(r);
        if (!tidal_) {
            const double step = 0.01 * norm(r);
            const Vector3 along[] = {{step, 0, 0}, {0, step, 0}, {0, 0, step}};
            for (std::size_t d = 0; d < 3; ++d) {
                const auto difference = [&](double n) {
                    const Vector3& s = along[d];
                    return value({r.x + n * s.x, r.y + n * s.y, r.z + n * s.z}) -
                           value({r.x - n * s.x, r.y - n * s.y, r.z - n * s.z});
                };
                to.acceleration[d] += mass / (60.0 * step) * (45.0 * difference(1) - 9.0 * difference(2) + difference(3));
            }
            return;
        }
        const ClassicalSum::Value near = sum_->near(r);
        Vector3 gradient = near.gradient;
        std::array<double, 6> second = near.second;
        for (const auto& [wave, amplitude] : sum_->waves()) {
            const double phase = ClassicalSum::dot(wave, r), slope = -amplitude * std::sin(phase);
            gradient.x += slope * wave.x, gradient.y += slope * wave.y, gradient.z += slope * wave.z;
            ClassicalSum::add_product(-amplitude * std::cos(phase), wave, second);
        }
        to.acceleration[0] += mass * gradient.x, to.acceleration[1] += mass * gradient.y, to.acceleration[2] += mass * gradient.z;
        for (std::size_t c = 0; c < 6; ++c) to.tidal[c] += mass * second[c];
    }
    [[nodiscard]] bool has_tidal() const { return tidal_; }

private:
    [[nodiscard]] double value(const Vector3& r) const {
        return sum_ ? (*sum_)(r) : classical_filament(filament_, r, softening_);
    }

    std::optional<ClassicalSum> sum_;
    double softening_, filament_;
    bool tidal_;
};

double norm_of(const Place& r) { return std::hypot(r[0], r[1], r[2]); }

/// Errors at the bodies from `first` on, over sum m/r, m/r^2 and m/r^3 of the nearest images: the worst are kept.
void judge(const Boundaries& boundary, const Place& sides, double softening, const BodyArrays& all, std::size_t first,
           const std::vector<Sums>& got, Bounds& worst) {
    const Reference reference(boundary, sides, softening);
    for (std::size_t k = first; k < all.size(); ++k) {
        Sums expected, error;
        Bounds pulls{};
        for (std::size_t s = 0; s < first; ++s) {
            Place r{all.x[k] - all.x[s], all.y[k] - all.y[s], all.z[k] - all.z[s]};
            reference.add(all.mass[s], {r[0], r[1], r[2]}, expected);
            for (std::size_t d = 0; d < 3; ++d) r[d] = boundary[d] == p ? r[d] - sides[d] * std::rint(r[d] / sides[d]) : r[d];
            for (std::size_t n = 0; n < 3; ++n) pulls[n] += all.mass[s] / std::pow(norm_of(r), n + 1);
        }
        error.potential = got[k].potential - expected.potential;
        for (std::size_t d = 0; d < 3; ++d) error.acceleration[d] = got[k].acceleration[d] - expected.acceleration[d];
        for (std::size_t c = 0; c < 6; ++c) error.tidal[c] = got[k].tidal[c] - expected.tidal[c];
        for (std::size_t n = 0; n < (reference.has_tidal() ? 3 : 2); ++n)
            worst[n] = std::max(worst[n], size_of(error, static_cast<int>(n)) / pulls[n]);
    }
}

// Bodies in a quarter of the box of which no image is walked for those in the quarter after the next: few, which are heavy, many,
// which are in a tree, and softened ones, whose masses are single precision's.
TEST(FarImages, ByThemselves) {
    const struct {
        Boundaries boundary;
        Place sides;
        std::size_t along;
        bool fine;
        double softening;
    } boxes[] = {{ppp, {1, 1, 1}, 0, true, 0.0},  {ppp, {1, 1, 1}, 1, false, 0.03}, {ppp, {1, 1, 2}, 2, false, 0.0},
                 {ppp, {1, 2, 8}, 2, false, 0.0}, {ppp, {1, 1, 16}, 2, true, 0.0},  {ppp, {16, 1, 1}, 0, true, 0.03},
                 {ppi, {1, 1, 1}, 1, false, 0.0}, {ppi, {1, 1, 8}, 2, true, 0.0},   {pii, {2, 1, 1}, 0, true, 0.0}};
    constexpr std::array<Bounds, 3> at_most = {{{3e-6, 1e-4, 8e-3}, {2.5e-9, 2e-7, 1.2e-5}, {4e-11, 1e-8, 1.2e-7}}};
    for (std::size_t l = 0; l < 3; ++l) {
        Bounds worst{};
        for (const auto& [boundary, sides, along, fine, softening] : boxes) {
            if (l == 2 && !fine) continue;
            Options options = at_level(levels[l], boundary, sides);
            options.softening = softening;
            Solver solver(MPI_COMM_WORLD, options);
            for (const int count : {2, 128}) {
                std::vector<Place> sources = places_in(sides, count, 3), probes = places_in(sides, 6, 4);
                const Place lower = box_of(sides).lower;
                for (Place& at : sources) at[along] = lower[along] + 0.25 * (at[along] - lower[along]);
                for (Place& at : probes) at[along] = lower[along] + 0.5 * sides[along] + 0.25 * (at[along] - lower[along]);
                if (boundary == pii) {  // sums of Bessel's functions are long near the axis
                    for (Place& at : probes) at[2] = lower[2] + 0.9 * sides[2];
                    for (Place& at : sources) at[2] = lower[2] + 0.4 * (at[2] - lower[2]);
                }
                BodyArrays all = points_at(sources, 1.0 / count);
                for (const Place& at : probes) all.add_point(at[0], at[1], at[2], 0.0);
                judge(boundary, sides, softening, all, sources.size(), solve_points(solver, all, true), worst);
            }
        }
        for (std::size_t n = 0; n < 3; ++n) EXPECT_LE(worst[n], at_most[l][n]) << levels[l].name << ", derivatives " << n;
    }
}

// With all that is walked, whose pairs are in single precision; and with a star that outweighs it a million times, whose are not.
TEST(FarImages, WithAWalk) {
    for (const bool star : {false, true}) {
        const Bounds at_most = star ? Bounds{1.4e-11, 4e-10, 1e-7} : Bounds{3e-7, 6e-7, 5e-6};
        BodyArrays all = points_at(places_in({1, 1, 1}, 200, 8), 1.0 / 128.0);
        if (star) all.x[0] = box_of({1, 1, 1}).lower[0] + 0.25, all.mass[0] = 1e6;
        for (const Place& at : places_in({1, 1, 1}, 20, 9)) all.add_point(at[0], at[1], at[2], 0.0);
        Bounds worst{};
        Solver solver(MPI_COMM_WORLD, at_level(levels[2], ppp, {1, 1, 1}));
        judge(ppp, {1, 1, 1}, 0.0, all, 200, solve_points(solver, all, true), worst);
        for (std::size_t n = 0; n < 3; ++n) EXPECT_LE(worst[n], at_most[n]) << star << ", derivatives " << n;
    }
}

// What a level knows of the box stays right while others are used: the tidal tensor asks for a finer one.
TEST(FarImages, LevelsToAndFro) {
    const BodyArrays all = points_at(places_in({1, 1, 2}, 200, 5), 1.0);
    const Options options = at_level({"", 1.0, 4}, ppp, {1, 1, 2});
    Solver solver(MPI_COMM_WORLD, options), fresh(MPI_COMM_WORLD, options);
    const std::vector<Sums> first = solve_points(solver, all, false), with_tides = solve_points(solver, all, true),
                            last = solve_points(solver, all, false), alone = solve_points(fresh, all, true);
    for (std::size_t k = 0; k < all.size(); ++k) {
        EXPECT_EQ(first[k].acceleration, last[k].acceleration);
        EXPECT_EQ(with_tides[k].tidal, alone[k].tidal);
    }
}

}  // namespace
}  // namespace gravlet::test
