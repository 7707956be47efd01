// SPDX-License-Identifier: Apache-2.0
// Sums over periodic images by the classical formulas, written apart from the library's: what it is held to.
//
// Softening e is one more coordinate, r^2 + e^2, the same for all images: in a slab or filament it moves the place away from the
// plane or line, and the formulas stay. In a box it changes the waves' amplitudes, to an integral.
#pragma once

#include "ewald/periodic_box.hpp"
#include "physics/types.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace gravlet::test {

inline double norm(const Vector3& r) { return std::sqrt(r.x * r.x + r.y * r.y + r.z * r.z); }

/// Ewald's sum for three periodic directions, Parry's for two (x and y): terms below 1e-17 left out. Of a sheared box, too: by
/// the lattice of (Lx, shear, 0), (0, Ly, 0) and (0, 0, Lz), and its reciprocal.
class ClassicalSum {
public:
    struct Wave {
        Vector3 k;
        double amplitude;  ///< in a box
    };
    struct Value {
        double value = 0.0;
        Vector3 gradient{};
        std::array<double, 6> second{};  ///< derivatives xx, xy, xz, yy, yz, zz
    };

    /// With a larger `splitting` there are fewer images, and more waves.
    explicit ClassicalSum(const PeriodicBox& box, double softening = 0.0, double splitting = 1.0)
        : box_(box), softening_(softening), dimensions_(box.dimensions()) {
        measure_ = box.side[0] * box.side[1] * (dimensions_ == 3 ? box.side[2] : 1.0);
        alpha_ = splitting * root_pi * std::pow(measure_, -1.0 / dimensions_);
        const double longest_wave = 13.0 * alpha_;
        std::array<int, 3> most{};
        for (std::size_t d = 0; d < 3; ++d)
            most[d] =
                box.periodic[d] ? static_cast<int>(longest_wave * box.side[d] / (2.0 * pi)) + (box.shear != 0.0 ? 1 : 0) : 0;
        for_range(most, {}, [&](int i, int j, int k) {
            const double sheared = i - std::round(j * box.shear / box.side[1]);  // so that waves are about the longest ones
            const Vector3 wave{2.0 * pi * (sheared + j * box.shear / box.side[1]) / box.side[0], -2.0 * pi * j / box.side[1],
                               2.0 * pi * k / box.side[2]};
            if (norm(wave) > 0.0 && norm(wave) <= longest_wave) waves_.push_back({wave, amplitude_in_box(norm(wave))});
        });
        const double e2 = std::pow(softening_ * alpha_, 2);
        mean_ = -pi / (alpha_ * alpha_ * measure_) * decaying_integral([=](double v) { return std::exp(-e2 * std::exp(v)); });
    }

    [[nodiscard]] double operator()(const Vector3& r) const {
        double sum = near(r).value;
        for (const Wave& wave : waves_) sum += dimensions_ == 3 ? wave.amplitude * std::cos(dot(wave.k, r)) : in_plane(wave.k, r);
        if (dimensions_ == 3) return sum;
        const double z = std::hypot(r.z, softening_);
        return sum -
               2.0 * root_pi / measure_ * (std::exp(-std::pow(alpha_ * z, 2)) / alpha_ + root_pi * z * std::erf(alpha_ * z));
    }

    /// In a box, what the waves do not carry; nothing of an image at distance zero, unless it is softened.
    [[nodiscard]] Value near(const Vector3& r) const {
        Value sum{dimensions_ == 3 ? mean_ : 0.0, {}};
        const double reach = 6.5 / alpha_;
        const std::array<double, 3> x{r.x, r.y, r.z};
        std::array<int, 3> most{}, nearest{};
        for (std::size_t d = 0; d < 3; ++d) {
            if (!box_.periodic[d]) continue;
            most[d] = static_cast<int>(reach / box_.side[d] + 0.5) + (box_.shear != 0.0 ? 1 : 0);
            nearest[d] = -static_cast<int>(std::lround(x[d] / box_.side[d]));
        }
        for_range(most, nearest, [&](int i, int j, int k) {
            const double displaced = i * box_.shear - box_.side[1] * std::round(i * box_.shear / box_.side[1]);
            const Vector3 image{r.x + i * box_.side[0], r.y + j * box_.side[1] + displaced, r.z + k * box_.side[2]};
            const double s = std::hypot(norm(image), softening_);
            if (s == 0.0 || s > reach) return;
            const double value = std::erfc(alpha_ * s) / s;
            const double slope = -(value + 2.0 * alpha_ / root_pi * std::exp(-alpha_ * alpha_ * s * s)) / (s * s);
            sum.value += value;
            sum.gradient.x += slope * image.x, sum.gradient.y += slope * image.y, sum.gradient.z += slope * image.z;
            const double decay = 2.0 * alpha_ / root_pi * std::exp(-alpha_ * alpha_ * s * s),
                         bend = (2.0 * alpha_ * alpha_ * decay - 3.0 * slope) / (s * s);
            add_product(bend, image, sum.second);
            for (const std::size_t diagonal : {0UL, 3UL, 5UL}) sum.second[diagonal] += slope;
        });
        return sum;
    }
    [[nodiscard]] const std::vector<Wave>& waves() const { return waves_; }
    /// Of the sum at a place, what is not of its images: 1/e, or what the waves have there of 1/r.
    [[nodiscard]] double own() const { return softening_ > 0.0 ? 1.0 / softening_ : 2.0 * alpha_ / root_pi; }

    /// Adds factor * r_i r_j.
    static void add_product(double factor, const Vector3& r, std::array<double, 6>& to) {
        const double x[] = {r.x, r.y, r.z};
        std::size_t k = 0;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = i; j < 3; ++j) to[k++] += factor * x[i] * x[j];
    }

    static double dot(const Vector3& k, const Vector3& r) { return k.x * r.x + k.y * r.y + k.z * r.z; }

private:
    static constexpr double pi = std::numbers::pi, root_pi = 1.7724538509055160273;

    template <class F>
    static void for_range(const std::array<int, 3>& most, const std::array<int, 3>& middle, F f) {
        for (int k = -most[2]; k <= most[2]; ++k)
            for (int j = -most[1]; j <= most[1]; ++j)
                for (int i = -most[0]; i <= most[0]; ++i) f(middle[0] + i, middle[1] + j, middle[2] + k);
    }
    /// Of exp(-v) f(v) from 0 to infinity, by the double exponential rule v = exp(w - exp(-w)).
    template <class F>
    static double decaying_integral(F f) {
        constexpr double step = 0.02;
        double sum = 0.0;
        for (double w = -5.0; w < 4.0; w += step) {
            const double v = std::exp(w - std::exp(-w));
            sum += step * v * (1.0 + std::exp(-w)) * std::exp(-v) * f(v);
        }
        return sum;
    }
    /// Of the transform of erf(alpha s)/s.
    [[nodiscard]] double amplitude_in_box(double k) const {
        const double e2 = softening_ * softening_, widest = 1.0 / (alpha_ * alpha_);
        return 4.0 * pi / (measure_ * k * k) * std::exp(-0.25 * k * k * widest) *
               decaying_integral([=](double v) { return std::exp(-e2 / (widest + 4.0 * v / (k * k))); });
    }
    [[nodiscard]] double in_plane(const Vector3& wave, const Vector3& r) const {
        const double k = norm(wave), half = k / (2.0 * alpha_), height = std::hypot(r.z, softening_), z = alpha_ * height;
        return pi / (measure_ * k) * std::cos(wave.x * r.x + wave.y * r.y) *
               (std::exp(k * height) * std::erfc(half + z) + std::exp(-k * height) * std::erfc(half - z));
    }

    PeriodicBox box_;
    double softening_;
    int dimensions_;
    double measure_, alpha_, mean_;
    std::vector<Wave> waves_;
};

/// Along x; not near the axis, where there would be too many terms.
inline double classical_filament(double period, const Vector3& r, double softening) {
    using std::numbers::pi;
    const double rho = std::hypot(r.y, r.z, softening);
    double sum = -2.0 / period * std::log(rho / period);
    for (int n = 1; 2.0 * pi * n * rho / period < 40.0; ++n)
        sum += 4.0 / period * std::cyl_bessel_k(0.0, 2.0 * pi * n * rho / period) * std::cos(2.0 * pi * n * r.x / period);
    return sum;
}

}  // namespace gravlet::test
