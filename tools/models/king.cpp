// SPDX-License-Identifier: Apache-2.0
#include "tools/models/king.hpp"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

// At a radius x, in King radii: the depth in sigma^2, and the mass within, of which 1 is sigma^2 times the King radius.
struct State {
    double w, mass;
};

State operator+(const State& a, const State& b) { return {a.w + b.w, a.mass + b.mass}; }
State operator*(double factor, const State& a) { return {factor * a.w, factor * a.mass}; }

// By ln x. The King radius squared is 9 sigma^2/(4 pi rho(0)).
State slope(double ln_x, const State& at, double central) {
    const double x = std::exp(ln_x);
    return {-at.mass / x, 9.0 * x * x * x * KingModel::density(at.w) / central};
}

}  // namespace

double KingModel::density(double w) {
    if (w <= 0.0) return 0.0;
    const double root = std::sqrt(w);
    if (w < 1e-2) return root * w * w * (8.0 / 15.0 + w * (16.0 / 105.0)) / std::sqrt(std::numbers::pi);
    return std::exp(w) * std::erf(root) - 2.0 * root / std::sqrt(std::numbers::pi) * (1.0 + 2.0 / 3.0 * w);
}

KingModel king_model(double w0) {
    RadialGrid grid{.first = 1e-4};
    const double central = KingModel::density(w0), h = grid.step, start = std::log(grid.first);
    // Near the centre the density is constant.
    State at{w0 - 1.5 * grid.first * grid.first, 3.0 * grid.first * grid.first * grid.first};
    std::vector<double> mass, mass_slopes, depth, depth_slopes;
    for (;;) {
        const double ln_x = start + h * static_cast<double>(mass.size());
        const State k1 = slope(ln_x, at, central);
        mass.push_back(at.mass), mass_slopes.push_back(k1.mass);
        depth.push_back(at.w), depth_slopes.push_back(k1.w);
        if (at.w <= 0.0) break;
        const State k2 = slope(ln_x + 0.5 * h, at + 0.5 * h * k1, central);
        const State k3 = slope(ln_x + 0.5 * h, at + 0.5 * h * k2, central);
        const State k4 = slope(ln_x + h, at + h * k3, central);
        at = at + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    grid.size = mass.size();
    // Beyond the edge w is mass/x - mass/edge.
    const double all = at.mass, sigma2 = 1.0 / all;
    const double edge = 1.0 / (1.0 / grid.radius(grid.size - 1) - at.w / all);
    for (auto* values : {&mass, &mass_slopes, &depth, &depth_slopes})
        for (double& value : *values) value *= sigma2;
    return {w0, sigma2, edge, RadialTable(grid, std::move(mass), std::move(mass_slopes)),
            RadialTable(grid, std::move(depth), std::move(depth_slopes))};
}

IsotropicSphere KingModel::sphere() const {
    return {mass, depth, [s = sigma2](double energy) { return std::expm1(energy / s); }};
}

}  // namespace gravlet
