// SPDX-License-Identifier: Apache-2.0
#include "ewald/lattice_sum.hpp"

#include "ewald/gaussian.hpp"
#include "physics/acceptance.hpp"
#include "physics/multipole.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gravlet {
namespace {

using std::numbers::pi;
const double root_pi = std::sqrt(pi);

constexpr std::size_t abscissae_per_interval = 20;

/// Abscissae and weights on [-1, 1], by Newton's method on the Legendre polynomial.
struct GaussLegendre {
    std::array<double, abscissae_per_interval> x{}, weight{};

    GaussLegendre() {
        constexpr double n = abscissae_per_interval;
        for (std::size_t i = 0; i < abscissae_per_interval; ++i) {
            double u = std::cos(pi * (static_cast<double>(i) + 0.75) / (n + 0.5)), slope = 1.0;
            for (int iteration = 0; iteration < 100; ++iteration) {
                double p = 1.0, before = 0.0;
                for (std::size_t k = 1; k <= abscissae_per_interval; ++k) {
                    const double degree = static_cast<double>(k);
                    const double next = ((2.0 * degree - 1.0) * u * p - (degree - 1.0) * before) / degree;
                    before = p;
                    p = next;
                }
                slope = n * (u * p - before) / (u * u - 1.0);
                u -= p / slope;
            }
            x[i] = u;
            weight[i] = 2.0 / ((1.0 - u * u) * slope * slope);
        }
    }
};

/// The integral of exp(-x s)/s^2 from 1 to infinity, the second exponential integral.
double decaying_square(double x) { return x > 0.0 ? std::exp(-x) + x * std::expint(-x) : 1.0; }

}  // namespace

bool LatticeSum::in_fourier(std::size_t direction, double t) const {
    return box_.periodic[direction] && t * box_.side[direction] < root_pi;
}

LatticeSum::LatticeSum(const PeriodicBox& box, double reach, double nearest, double softening) : box_(box) {
    // The integrand ends where the nearest image has exp(-49); its slowest scale is that of the longest distance.
    const double end = 7.0 / nearest, longest = std::max(reach, box.longest_period());
    double product = 1.0;
    for (std::size_t d = 0; d < 3; ++d)
        if (box.periodic[d]) product *= box.side[d];
    const GaussLegendre rule;
    for (double a = 0.0, b = std::min(end, 0.5 / longest);;) {
        for (std::size_t i = abscissae_per_interval; i-- > 0;) {  // ascending
            t_.push_back(0.5 * (a + b) + 0.5 * (b - a) * rule.x[i]);
            weight_.push_back((b - a) / root_pi * rule.weight[i]);
        }
        if (b >= end) break;
        a = b;
        b = std::min(end, 2.0 * b);
    }
    const int dimensions = box_.dimensions();
    const double last = softening * softening * end * end;
    switch (dimensions) {
        case 3: constant_ = -pi / (product * end * end) * decaying_square(last); break;
        case 2: constant_ = -2.0 * root_pi / (product * end); break;
        default: constant_ = (std::numbers::egamma + 2.0 * std::log(end * product)) / product;
    }
    first_direct_ = 0;
    for (std::size_t q = 0; q < t_.size(); ++q) {
        const double t = t_[q], exponent = -softening * softening * t * t;
        mean_.push_back(std::pow(root_pi / t, dimensions) / product);
        if (t * box_.longest_period() < 1.0) ++first_direct_;
        // The mean is that of softened masses; the limits far from a plane or a line are those of unsoftened ones.
        if (dimensions < 3) constant_ += weight_[q] * mean_[q] * std::expm1(exponent);
        weight_[q] *= std::exp(exponent);
    }
    if (box_.shear != 0.0) set_terms(std::max(reach, box.longest_period()));
}

LatticeSum::Axis LatticeSum::axis(std::size_t direction, double x, int order, ImageRange left_out) const {
    const std::size_t n = t_.size(), degrees = static_cast<std::size_t>(order) + 1;
    const double period = box_.side[direction];
    Axis out;
    for (std::size_t k = 0; k < degrees; ++k) {
        out.all[k].resize(n);
        out.left_out[k].resize(n);
    }
    out.excess.resize(n);
    for (std::size_t q = 0; q < n; ++q) {
        const double t = t_[q];
        double all[max_ewald_order + 1] = {}, near[max_ewald_order + 1] = {};
        for (int image = left_out.first; image <= left_out.last; ++image) add_gaussian(x + image * period, t, order, near);
        if (!box_.periodic[direction]) {
            add_gaussian(x, t, order, all);
            out.excess[q] = std::expm1(-x * x * t * t);
        } else if (in_fourier(direction, t)) {
            double cosines = 0.0;
            for (int m = 1; m <= 5; ++m) {
                const double k = 2.0 * pi * m / period, amplitude = 2.0 * std::exp(-k * k / (4.0 * t * t));
                double scale = amplitude;
                for (int degree = 0; degree <= order; ++degree, scale *= k)
                    all[degree] += scale * std::cos(k * x + 0.5 * pi * degree);
                cosines += amplitude * std::cos(k * x);
            }
            out.excess[q] = cosines;
            all[0] += 1.0;
            for (double& derivative : all) derivative *= root_pi / (t * period);
        } else {
            const double centre = -std::round(x / period);
            for (int image = -5; image <= 5; ++image) add_gaussian(x + (centre + image) * period, t, order, all);
        }
        for (std::size_t k = 0; k < degrees; ++k) {
            out.all[k][q] = all[k];
            out.left_out[k][q] = near[k];
        }
    }
    return out;
}

LatticeSum::Plane LatticeSum::room_for_plane(int order) const {
    Plane out;
    out.all.assign(plane_index(0, order) + 1, std::vector<double>(t_.size()));
    out.left_out = out.all;
    out.excess.resize(t_.size());
    return out;
}

void LatticeSum::make(const Axis& x, const Axis& y, int order, Plane& out) const {
    const std::size_t n = t_.size();
    for (int a = 0; a <= order; ++a) {
        for (int b = 0; a + b <= order; ++b) {
            const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
            std::vector<double>&all = out.all[plane_index(a, b)], &left_out = out.left_out[plane_index(a, b)];
            for (std::size_t q = 0; q < n; ++q) {
                all[q] = x.all[ia][q] * y.all[ib][q];
                left_out[q] = x.left_out[ia][q] * y.left_out[ib][q];
            }
        }
    }
    for (std::size_t q = 0; q < n; ++q) out.excess[q] = x.excess[q] + y.excess[q] + x.excess[q] * y.excess[q];
}

double LatticeSum::value(const Plane& xy, const Axis& z) const {
    const double *const all = xy.all[0].data(), *const left_out = xy.left_out[0].data();
    double sum = constant_;
    for (std::size_t q = 0; q < first_direct_; ++q) {
        const double a = xy.excess[q], b = z.excess[q];  // (1 + a)(1 + b) - 1
        sum += weight_[q] * (mean_[q] * (a + b + a * b) - left_out[q] * z.left_out[0][q]);
    }
    for (std::size_t q = first_direct_; q < t_.size(); ++q)
        sum += weight_[q] * (all[q] * z.all[0][q] - mean_[q] - left_out[q] * z.left_out[0][q]);
    return sum;
}

void LatticeSum::derivatives(const Plane& xy, const Axis& z, int order, double* out) const {
    const std::size_t n = t_.size();
    for (int a = 0; a <= order; ++a) {
        for (int b = 0; a + b <= order; ++b) {
            const double *const all = xy.all[plane_index(a, b)].data(), *const left_out = xy.left_out[plane_index(a, b)].data(),
                                *const w = weight_.data();
            for (int c = 0; a + b + c <= order; ++c) {
                const auto ic = static_cast<std::size_t>(c);
                const double *const za = z.all[ic].data(), *const zn = z.left_out[ic].data();
                double sum = 0.0;
#pragma omp simd reduction(+ : sum)
                for (std::size_t q = 0; q < n; ++q) sum += w[q] * (all[q] * za[q] - left_out[q] * zn[q]);
                out[local_index(a, b, c)] = sum;
            }
        }
    }
    out[0] = value(xy, z);
}

double periodic_potential(const PeriodicBox& box, Vector3 r, double softening) {
    r = to_nearest(r, box.period());
    const double reach = std::max({std::abs(r.x), std::abs(r.y), std::abs(r.z)});
    return LatticeSum(box, reach, 0.5 * box.shortest_period(), softening).value(r) +
           1.0 / std::sqrt(r.x * r.x + r.y * r.y + r.z * r.z + softening * softening);
}

}  // namespace gravlet
