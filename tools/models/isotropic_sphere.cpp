// SPDX-License-Identifier: Apache-2.0
#include "tools/models/isotropic_sphere.hpp"

#include "tools/models/eddington.hpp"

#include <span>
#include <utility>

namespace gravlet {

IsotropicSphere::IsotropicSphere(RadialTable mass, RadialTable depth, std::function<double(double)> f)
    : mass_(std::move(mass)), depth_(std::move(depth)), f_(std::move(f)) {
    // Speeds in steps of a twentieth, down to where those of a cusp's centre are.
    constexpr double step = 0.95;
    constexpr int steps = 250;
    for (const double depth_here : depth_.values()) {
        double greatest = 0.0, share = 1.0;
        for (int i = 0; i < steps; ++i, share *= step) greatest = std::max(greatest, weight(std::max(depth_here, 0.0), share));
        greatest_.push_back(greatest);
    }
}

IsotropicSphere IsotropicSphere::alone(const PowerLaws& density, const char* name) {
    const Sphere sphere(density, 1.0, 1.0, model_grid(density.edge));
    SphericalField field = SphericalField::of(std::span(&sphere.mass(), 1));
    DistributionFunction f(sphere, field, name);
    return {sphere.mass(), std::move(field.depth), std::move(f)};
}

double IsotropicSphere::radius(double share) const {
    const std::vector<double>& mass = mass_.values();
    const double wanted = share * mass.back();
    const auto above = std::upper_bound(mass.begin() + 1, mass.end() - 1, wanted);
    const auto i = static_cast<std::size_t>(above - mass.begin()) - 1;
    const double width = mass[i + 1] - mass[i];
    const double part = width > 0.0 ? std::clamp((wanted - mass[i]) / width, 0.0, 1.0) : 0.0;
    return mass_.grid().radius(static_cast<double>(i) + part);
}

}  // namespace gravlet
