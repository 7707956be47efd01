// SPDX-License-Identifier: Apache-2.0
#include "problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace core_collapse {

namespace {

double norm(const Array3& a) { return std::hypot(a[0], a[1], a[2]); }

double free_fall_time(double density) { return std::sqrt(3.0 * std::numbers::pi / (32.0 * G * density)); }

/// About the share of a cell that is in a sphere.
double inside(const Array3& place, double radius, double h) { return std::clamp((radius - norm(place)) / h + 0.5, 0.0, 1.0); }

/// A homogeneous sphere at rest, with next to no pressure: thermal over gravitational energy is 7e-4.
Problem freefall() {
    Problem problem;
    problem.medium = {.sound = 0.01, .least_density = 1e-8 * ColdSphere::density};
    problem.gas = [](const Array3& place, double h) -> Gas {
        return {std::max(1e-5, inside(place, ColdSphere::radius, h)) * ColdSphere::density, 0.0, 0.0, 0.0};
    };
    problem.unit_of_time = free_fall_time(ColdSphere::density);
    problem.end = 0.9;
    return problem;
}

/// Gas at rest whose pressure just holds it, c^2/(2 pi G r^2), until a sink takes its middle (Shu 1977).
Problem shu() {
    Problem problem;
    problem.gas = [](const Array3& place, double h) -> Gas {
        const int parts = norm(place) < 8.0 * h ? 16 : 1;  // in each direction: the mean in a cell is not what is at its centre
        double sum = 0.0;
        for (int part = 0; part < parts * parts * parts; ++part) {
            const auto at = [&](double x, int index) { return x + ((index % parts + 0.5) / parts - 0.5) * h; };
            const Array3 there{at(place[0], part), at(place[1], part / parts), at(place[2], part / (parts * parts))};
            sum += 1.0 / (2.0 * std::numbers::pi * G * std::pow(norm(there), 2));
        }
        return {sum / (parts * parts * parts), 0.0, 0.0, 0.0};
    };
    problem.sinks = {Sink{.position = middle}};
    problem.end = 0.2;
    return problem;
}

/// A rotating sphere with 10% of m = 2 (Boss & Bodenheimer 1979, Burkert & Bodenheimer 1993): thermal over gravitational energy
/// is 0.26, rotational 0.16.
Problem core() {
    constexpr double radius = 0.25, mass = 1.0, density = mass / (4.0 / 3.0 * std::numbers::pi * radius * radius * radius);
    const double spin = std::sqrt(3.0 * 0.16 * G * mass / (radius * radius * radius));
    Problem problem;
    problem.medium = {.sound = std::sqrt(0.26 * 2.0 * G * mass / (5.0 * radius)),
                      .critical_density = 1e4 * density,
                      .least_density = 1e-5 * density};
    problem.gas = [=](const Array3& place, double h) -> Gas {
        const double share = inside(place, radius, h), wave = 1.0 + 0.1 * std::cos(2.0 * std::atan2(place[1], place[0]));
        const double rho = density * (share * wave + (1.0 - share) * 0.01), v = share * spin;
        return {rho, -rho * v * place[1], rho * v * place[0], 0.0};
    };
    problem.unit_of_time = free_fall_time(density);
    problem.end = 1.5;
    return problem;
}

}  // namespace

Problem make_problem(const Settings& settings) {
    if (settings.problem != "freefall" && settings.problem != "shu" && settings.problem != "core")
        throw std::invalid_argument("no problem " + settings.problem);
    Problem problem = settings.problem == "freefall" ? freefall() : settings.problem == "shu" ? shu() : core();
    if (settings.end > 0.0) problem.end = settings.end;
    const double h = std::ldexp(1.0 / n, -settings.finest);
    problem.rule = {.radius = 2.5 * h, .threshold = problem.medium.density_of(4.0 * h)};  // Truelove et al. 1997
    if (settings.problem == "shu") problem.rule.threshold = problem.gas({problem.rule.radius, 0.0, 0.0}, 0.01 * h)[0];
    if (settings.problem == "freefall") problem.rule.threshold = std::numeric_limits<double>::infinity();
    return problem;
}

}  // namespace core_collapse
