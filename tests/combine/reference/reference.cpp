// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/reference/reference.hpp"

#include "tests/softened_pair.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gravlet::combine {
namespace {

double norm(const Vector& v) { return std::hypot(v[0], v[1], v[2]); }
double norm(const std::array<double, 6>& t) {
    return std::sqrt(t[0] * t[0] + t[3] * t[3] + t[5] * t[5] + 2.0 * (t[1] * t[1] + t[2] * t[2] + t[4] * t[4]));
}

double power_of_two(double x) { return x > 0.0 ? std::exp2(std::round(std::log2(x))) : 1.0; }

/// 1/r over the cuboid from 0 to these sides, integrated.
double octant(double a, double b, double c) {
    const double r = std::hypot(a, b, c);
    const auto edge = [](double p, double q, double s) { return p * q * std::asinh(s / std::hypot(p, q)); };
    const auto face = [r](double p, double q, double s) { return 0.5 * s * s * std::atan(p * q / (s * r)); };
    return edge(a, b, c) + edge(b, c, a) + edge(c, a, b) - face(a, b, c) - face(b, c, a) - face(c, a, b);
}

bool is_periodic(const Options& options, std::size_t d) { return options.boundary[d] == Boundary::periodic; }

/// Whether there is an image by the planes in these directions, a bit each.
bool has_image(const Options& options, unsigned by) {
    for (std::size_t d = 0; d < 3; ++d) {
        const bool plane = options.boundary[d] == Boundary::mirror_lower || options.boundary[d] == Boundary::mirror_upper;
        if ((by >> d & 1u) != 0 && !plane) return false;
    }
    return true;
}

Vector image(const Options& options, const Vector& x, unsigned by) {
    Vector out = x;
    for (std::size_t d = 0; d < 3; ++d) {
        if ((by >> d & 1u) == 0) continue;
        const Box& box = *options.domain;
        out[d] = 2.0 * (options.boundary[d] == Boundary::mirror_upper ? box.upper[d] : box.lower[d]) - x[d];
    }
    return out;
}

/// The field of an image's place, at the place.
Jet mirrored_back(Jet jet, unsigned by) {
    const auto sign = [by](std::size_t d) { return (by >> d & 1u) != 0 ? -1.0 : 1.0; };
    for (std::size_t d = 0; d < 3; ++d) jet.gradient[d] *= sign(d);
    for_pairs([&](std::size_t k, std::size_t i, std::size_t j) { jet.second[k] *= sign(i) * sign(j); });
    return jet;
}

}  // namespace

double cuboid_own_potential(const Vector& side) {
    return 8.0 * octant(0.5 * side[0], 0.5 * side[1], 0.5 * side[2]) / (side[0] * side[1] * side[2]);
}

Vector centre_of(const Patch& patch, int i, int j, int k) {
    const Index at{i, j, k};
    Vector x;
    for (std::size_t d = 0; d < 3; ++d) x[d] = patch.lower[d] + (at[d] + 0.5) * patch.side[d];
    return x;
}

std::vector<Mass> masses_of(const Bodies& bodies, int acting_classes) {
    std::vector<Mass> out;
    const auto acting = [=](double mass, int source_class) { return (acting_classes >> source_class & 1) != 0 ? mass : 0.0; };
    for (const Cell& cell : bodies.cells) out.push_back({cell.x, acting(cell.mass, cell.source_class), 0.0, false, cell.side});
    for (const Patch& patch : bodies.patches) {
        std::size_t next = 0;
        const double volume = patch.side[0] * patch.side[1] * patch.side[2];
        for (int k = 0; k < patch.n[2]; ++k)
            for (int j = 0; j < patch.n[1]; ++j)
                for (int i = 0; i < patch.n[0]; ++i)
                    out.push_back({centre_of(patch, i, j, k), acting(patch.density[next++] * volume, 0), 0.0, false, patch.side});
    }
    for (const Point& point : bodies.points)
        out.push_back({point.x, acting(point.mass, point.source_class), point.softening, true, {}});
    return out;
}

double volume_of(const Mass& m) { return m.side[0] * m.side[1] * m.side[2]; }

/// To 10 bits.
double rounded(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::round(mantissa * 1024.0), exponent - 10);
}

/// Options::background: the least density, less 1/64 of what the mean is above it.
void take_off_background(const Options& options, std::vector<Mass>& masses) {
    double box = 1.0, volume = 0.0, mass = 0.0, least = INFINITY, smallest = INFINITY;
    for (std::size_t d = 0; d < 3; ++d)
        box *= is_periodic(options, d) ? options.domain->upper[d] - options.domain->lower[d] : 0.0;
    for (const Mass& m : masses) {
        if (m.point) continue;
        volume += volume_of(m), mass += m.mass;
        least = std::min(least, m.mass / volume_of(m));
        for (const double side : m.side) smallest = std::min(smallest, side);
    }
    if (options.background == Background::keep || volume == 0.0 || box == 0.0) return;
    if (std::abs(volume - box) > std::max(0.5 * smallest * smallest * smallest, 1e-12 * box)) return;
    const double above = mass / volume - least, even = above <= 0x1p-48 * least ? least : least - rounded(above / 64.0);
    if (even <= 0.0) return;
    for (Mass& m : masses) {
        if (m.point) continue;
        const double part = even * volume_of(m), left = m.mass - part;
        m.mass = left > 0x1p-48 * part ? left : 0.0;
    }
}

Reference::Reference(const Options& options, const Bodies& bodies)
    : options_(options), masses_(masses_of(bodies, options.acting_classes)) {
    take_off_background(options_, masses_);
    set_units();
    Vector period{};
    bool periodic = false;
    for (std::size_t d = 0; d < 3; ++d)
        if (is_periodic(options, d)) period[d] = (options.domain->upper[d] - options.domain->lower[d]) / length_, periodic = true;
    if (!periodic) return;
    const double shear = options.shear / length_;
    bare_.emplace(period, 0.0, shear);
    double longest = 0.0;
    for (const Mass& m : masses_) longest = std::max(longest, m.softening);
    if (options.softening_kernel == SofteningKernel::plummer && longest > 0.0)
        softened_.emplace(period, longest / length_, shear);
}

void Reference::set_units() {
    double total = 0.0, reach = 0.0, extent = 0.0;
    shortest_ = std::numeric_limits<double>::infinity();
    for (const Mass& m : masses_) {
        total += m.mass;
        extent = std::max({extent, m.softening, m.side[0]});
        for (std::size_t d = 0; d < 3; ++d) {
            reach = std::max(reach, std::abs(m.x[d]));
            extent = std::max(extent, std::abs(m.x[d] - masses_.front().x[d]));
        }
    }
    for (std::size_t d = 0; d < 3; ++d)
        if (is_periodic(options_, d)) shortest_ = std::min(shortest_, options_.domain->upper[d] - options_.domain->lower[d]);
    length_ = power_of_two(std::isfinite(shortest_) ? shortest_ : extent);
    mass_ = power_of_two(total);
    shortest_ /= length_;
    rounding_ = 4.0 * std::numeric_limits<double>::epsilon() * reach / length_;
}

double Reference::unit(int derivatives) const {
    double value = options_.G * mass_ / length_;
    for (int d = 0; d < derivatives; ++d) value /= length_;
    return value;
}

double Reference::far(int derivatives) const {
    return std::isfinite(shortest_) ? std::pow(1.0 / shortest_, derivatives + 1) : 0.0;
}

/// 1/r by the pair's law, between two places. Those apart by nothing do not act on each other unless they are softened.
Jet Reference::nearest(const Vector& near, double softening) const {
    const double s = norm(near);
    if (s == 0.0 && softening == 0.0) return {};
    if (softening == 0.0 || options_.softening_kernel == SofteningKernel::plummer) return plummer_pair(near, softening);
    const double least = std::max(s, 1e-12 * softening);
    const auto law = test::softened_pair(least * least, softening, SofteningKernel::spline);
    return radial(near, law.potential, -law.field, law.tide);
}

/// What all images but the nearest add.
Jet Reference::images(const Vector& near, double softening) const {
    if (!bare_) return {};
    const bool plummer = options_.softening_kernel == SofteningKernel::plummer;
    return (plummer && softening > 0.0 ? *softened_ : *bare_)(near);
}

Sum Reference::at(const Place& place) const {
    Jet all;
    Sum sum;
    const auto add_sizes = [&](double m, const Jet& jet, const Jet& pair, double distance) {
        sum.sizes[0] += m * std::max(std::abs(jet.value), std::abs(pair.value));
        sum.sizes[1] += m * std::max(norm(jet.gradient), norm(pair.gradient));
        sum.sizes[2] += m * std::max(norm(jet.second), norm(pair.second));
        sum.rounding[0] += m * norm(jet.gradient) * rounding_, sum.rounding[1] += m * norm(jet.second) * rounding_;
        sum.rounding[2] += distance > 0.0 ? 3.0 * m * norm(jet.second) * rounding_ / distance : 0.0;
    };
    for (std::size_t n = 0; n < 8 * masses_.size(); ++n) {
        const std::size_t i = n % masses_.size();
        const unsigned by = static_cast<unsigned>(n / masses_.size());
        const Mass& body = masses_[i];
        if (body.mass == 0.0 || !has_image(options_, by)) continue;
        const Vector x = image(options_, place.x, by);
        const bool same = static_cast<std::ptrdiff_t>(i) == place.self && by == 0;
        Vector r;
        for (std::size_t d = 0; d < 3; ++d) r[d] = (x[d] - body.x[d]) / length_;
        const double softening = body.point || place.point ? std::max(body.softening, place.softening) / length_ : 0.0;
        const double m = body.mass / mass_;
        const Vector near = bare_ ? bare_->nearest(r) : r;
        const Jet pair = same ? Jet{} : nearest(near, softening), jet = pair + images(near, softening);
        const double distance = std::max(norm(near), softening);
        add_sizes(m, jet, pair, distance);
        // Apart by a rounding, which a period's may be: nobody knows by how much.
        if (!same && distance < rounding_ && x != body.x) sum.rounding.fill(std::numeric_limits<double>::infinity());
        all += m * mirrored_back(jet, by);
    }
    sum.potential = -all.value, sum.acceleration = all.gradient, sum.tidal = all.second;
    if (place.self < 0 || !options_.self_potential) return sum;
    const Mass& own = masses_[static_cast<std::size_t>(place.self)];
    if (own.point || own.mass == 0.0) return sum;
    Vector side = place.side.value_or(own.side);
    for (double& s : side) s /= length_;
    const double potential = own.mass / mass_ * cuboid_own_potential(side);
    sum.potential -= potential, sum.sizes[0] += potential;
    return sum;
}

}  // namespace gravlet::combine
