// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/reference/lattice.hpp"

#include <algorithm>
#include <numbers>

namespace gravlet::combine {
namespace {

constexpr double pi = std::numbers::pi, root_pi = 1.7724538509055160273;

/// visit(n): all whole n with |n_d| <= most_d, x fastest.
template <class F>
void for_range(const std::array<int, 3>& most, F visit) {
    for (int k = -most[2]; k <= most[2]; ++k)
        for (int j = -most[1]; j <= most[1]; ++j)
            for (int i = -most[0]; i <= most[0]; ++i) visit(std::array<int, 3>{i, j, k});
}

/// The integral of exp(-v) f(v) from 0 on, by Simpson's rule in w, v = w^8: nothing at the ends that errors could come from.
template <class F>
double decaying_integral(F f) {
    constexpr int steps = 400;
    constexpr double step = 1.6 / steps;
    double sum = 0.0;
    for (int i = 1; i <= steps; ++i) {
        const double w = i * step, v = std::pow(w, 8);
        sum += (i == steps ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) * 8.0 * v / w * std::exp(-v) * f(v);
    }
    return sum * step / 3.0;
}

/// erfc(a s)/s.
Jet near_image(const Vector& r, double s, double a) {
    const double value = std::erfc(a * s) / s, decay = 2.0 * a / root_pi * std::exp(-a * a * s * s);
    const double slope = -(value + decay) / (s * s);
    return radial(r, value, slope, (2.0 * a * a * decay - 3.0 * slope) / (s * s));
}

/// -erf(a s)/s: the same less 1/s.
Jet left_of_nearest(const Vector& r, double s, double a) {
    const double q = a * a * s * s;
    if (q > 0.5) return near_image(r, s, a) + radial(r, -1.0 / s, 1.0 / (s * s * s), -3.0 / (s * s * s * s * s));
    double value = 0.0, slope = 0.0, bend = 0.0;  // series in q: erf(x)/x and its derivatives
    double power = 1.0, factorial = 1.0;
    for (int n = 0; n < 18; ++n) {
        const double c = 1.0 / (factorial * (2 * n + 1));
        value += c * power;
        slope -= c / (2 * n + 3) * (2 * n + 1) * power;
        bend += c / (2 * n + 5) * (2 * n + 1) * power;
        power *= -q, factorial *= n + 1;
    }
    const double unit = -2.0 * a / root_pi;
    return radial(r, unit * value, 2.0 * a * a * unit * slope, 4.0 * std::pow(a, 4) * unit * bend);
}

/// exp(k h) erfc(k/2a + a h): no more than exp(-k^2/4a^2).
double grown(double k, double a, double h) {
    const double argument = 0.5 * k / a + a * h;
    return argument > 26.0 ? 0.0 : std::exp(k * h) * std::erfc(argument);
}

}  // namespace

Lattice::Lattice(const Vector& period, double softening, double shear) : period_(period), softening_(softening), shear_(shear) {
    if (shear_ != 0.0) shear_ -= period[1] * std::round(shear / period[1]);
    for (std::size_t d = 0; d < 3; ++d) {
        if (period[d] > 0.0) ++dimensions_, measure_ *= period[d];
    }
    for (std::size_t d = 0; d < 3; ++d)
        if ((period[d] > 0.0) == (dimensions_ == 1)) odd_ = d;
    if (dimensions_ >= 2) make_waves();
}

void Lattice::make_waves() {
    alpha_ = root_pi * std::pow(measure_, -1.0 / dimensions_);
    const double longest = 13.0 * alpha_;
    std::array<int, 3> most{};
    for (std::size_t d = 0; d < 3; ++d)
        if (period_[d] > 0.0) most[d] = static_cast<int>(longest * period_[d] / (2.0 * pi));
    if (shear_ != 0.0) most[0] += (most[1] + 1) / 2;  // waves in x begin where those in y have turned by half a period
    bool half = false;                                // the middle of the range has been passed
    for_range(most, [&](const std::array<int, 3>& n) {
        Wave wave{};
        for (std::size_t d = 0; d < 3; ++d)
            if (period_[d] > 0.0) wave.k[d] = 2.0 * pi * n[d] / period_[d];
        if (shear_ != 0.0) wave.k[0] -= wave.k[1] * shear_ / period_[0];
        wave.norm = std::hypot(wave.k[0], wave.k[1], wave.k[2]);
        if (wave.norm == 0.0) half = true;
        if (!half || wave.norm == 0.0 || wave.norm > longest) return;
        wave.amplitude = 2.0 * (dimensions_ == 3 ? amplitude(wave.norm) : pi / (measure_ * wave.norm));
        waves_.push_back(wave);
    });
    // The mean of what near_image() adds up: that of the whole is zero.
    const double e2 = std::pow(softening_ * alpha_, 2);
    if (dimensions_ == 3) mean_ = -pi / (alpha_ * alpha_ * measure_) * (e2 > 0.0 ? std::exp(-e2) + e2 * std::expint(-e2) : 1.0);
}

/// Of a wave in a box.
double Lattice::amplitude(double k) const {
    const double e2 = softening_ * softening_, widest = 1.0 / (alpha_ * alpha_);
    const double plain = 4.0 * pi / (measure_ * k * k) * std::exp(-0.25 * k * k * widest);
    return e2 > 0.0 ? plain * decaying_integral([=](double v) { return std::exp(-e2 / (widest + 4.0 * v / (k * k))); }) : plain;
}

Vector Lattice::nearest(Vector r) const {
    if (shear_ != 0.0) r[1] -= shear_ * std::round(r[0] / period_[0]);
    for (std::size_t d = 0; d < 3; ++d)
        if (period_[d] > 0.0) r[d] -= period_[d] * std::round(r[d] / period_[d]);
    return r;
}

Jet plummer_pair(const Vector& r, double softening) {
    const double s = std::hypot(std::hypot(r[0], r[1], r[2]), softening);
    return radial(r, 1.0 / s, -1.0 / (s * s * s), 3.0 / (s * s * s * s * s));
}

Jet Lattice::operator()(const Vector& r) const {
    switch (dimensions_) {
        case 1: return filament(r);
        case 2: return layer(r);
        case 3: return box(r);
        default: return {};
    }
}

Jet Lattice::images(const Vector& r) const {
    Jet sum;
    const double reach = 6.3 / alpha_;
    std::array<int, 3> most{};
    for (std::size_t d = 0; d < 3; ++d)
        if (period_[d] > 0.0) most[d] = static_cast<int>(reach / period_[d] + 0.5);
    if (shear_ != 0.0) most[1] += (most[0] + 1) / 2;
    for_range(most, [&](const std::array<int, 3>& n) {
        Vector image = r;
        for (std::size_t d = 0; d < 3; ++d) image[d] += n[d] * period_[d];
        image[1] += n[0] * shear_;
        const double s2 = image[0] * image[0] + image[1] * image[1] + image[2] * image[2] + softening_ * softening_;
        const bool is_nearest = n == std::array<int, 3>{};
        if (is_nearest) sum += left_of_nearest(image, std::sqrt(s2), alpha_);
        if (!is_nearest && s2 <= reach * reach) sum += near_image(image, std::sqrt(s2), alpha_);
    });
    return sum;
}

Jet Lattice::box(const Vector& r) const {
    Jet sum = images(r) + Jet(mean_);
    for (const Wave& wave : waves_) {
        const double phase = wave.k[0] * r[0] + wave.k[1] * r[1] + wave.k[2] * r[2];
        const double c = wave.amplitude * std::cos(phase), s = wave.amplitude * std::sin(phase);
        sum.value += c;
        for (std::size_t d = 0; d < 3; ++d) sum.gradient[d] -= wave.k[d] * s;
        for_pairs([&](std::size_t k, std::size_t i, std::size_t j) { sum.second[k] -= wave.k[i] * wave.k[j] * c; });
    }
    return sum;
}

Jet Lattice::layer(const Vector& r) const {
    Jet sum = images(r);
    const Jet z = Jet::variable(r[odd_], odd_);
    const Jet height = softening_ > 0.0 ? square_root(z * z + Jet(softening_ * softening_)) : r[odd_] < 0.0 ? -z : z;
    const double h = height.value, a = alpha_, bell = std::exp(-a * a * h * h);
    sum += chain(height, -2.0 * root_pi / measure_ * (bell / a + root_pi * h * std::erf(a * h)),
                 -2.0 * pi / measure_ * std::erf(a * h), -4.0 * root_pi * a / measure_ * bell);
    for (const Wave& wave : waves_) {
        const double k = wave.norm, up = grown(k, a, h), down = std::exp(-k * h) * std::erfc(0.5 * k / a - a * h);
        const double bump = 4.0 * k * a / root_pi * std::exp(-0.25 * k * k / (a * a)) * bell;
        const Jet vertical = chain(height, up + down, k * (up - down), k * k * (up + down) - bump);
        double phase = 0.0;
        for (std::size_t d = 0; d < 3; ++d) phase += wave.k[d] * r[d];
        const double c = wave.amplitude * std::cos(phase), s = wave.amplitude * std::sin(phase);
        Jet along(c);
        for (std::size_t d = 0; d < 3; ++d) along.gradient[d] = -wave.k[d] * s;
        for_pairs([&](std::size_t p, std::size_t i, std::size_t j) { along.second[p] = -wave.k[i] * wave.k[j] * c; });
        sum += along * vertical;
    }
    return sum;
}

/// Images to 12 periods one by one; beyond, their integral less what Euler and Maclaurin's formula for midpoints makes of it.
Jet Lattice::filament(const Vector& r) const {
    constexpr int most = 12;
    const double length = period_[odd_], edge = (most + 0.5) * length;
    Jet q(softening_ * softening_);
    for (std::size_t d = 0; d < 3; ++d)
        if (d != odd_) q += Jet::variable(r[d], d) * Jet::variable(r[d], d);
    Jet sum;
    for (int n = -most; n <= most; ++n) {
        Vector image = r;
        image[odd_] += n * length;
        if (n != 0) sum += plummer_pair(image, softening_);
    }
    for (const double sign : {1.0, -1.0}) {
        const Jet u = Jet(edge) + sign * Jet::variable(r[odd_], odd_), u2 = u * u, s2 = u2 + q;
        sum += (-1.0 / length) * logarithm((1.0 / length) * (u + square_root(s2)));
        const Jet first = -(u * inverse_root(s2, 3));
        const Jet third = u * (9.0 * inverse_root(s2, 5) - 15.0 * (u2 * inverse_root(s2, 7)));
        const Jet fifth =
            u * (-225.0 * inverse_root(s2, 7) + 1050.0 * (u2 * inverse_root(s2, 9)) - 945.0 * (u2 * (u2 * inverse_root(s2, 11))));
        sum += (length / 24.0) * first + (-7.0 * std::pow(length, 3) / 5760.0) * third +
               (31.0 * std::pow(length, 5) / 967680.0) * fifth;
    }
    return sum;
}

}  // namespace gravlet::combine
