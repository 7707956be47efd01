// SPDX-License-Identifier: Apache-2.0
// The potential of a unit mass and all its periodic images, in three, two or one periodic directions, after Ewald (1921): with
//     1/r = 2/sqrt(pi) int_0^inf exp(-r^2 t^2) dt
// the sum over images becomes one integral over t of a product of one function a direction,
//     periodic:  theta(x) = sum_n exp(-(x + n L)^2 t^2) = sqrt(pi)/(t L) (1 + 2 sum_{m>0} exp(-(pi m/(L t))^2) cos(2 pi m x/L)),
//     isolated:  exp(-x^2 t^2).
// The splitting parameter is t = sqrt(pi)/L, a direction: the Fourier series below it, the images above (each ends at 1e-20).
// What does not depend on the position and diverges at t -> 0 (the mean density, an infinite mass) is left out: that fixes the
// mean potential. So every box shape and every mixture of boundaries is the same few lines, and derivatives are products too. The
// integral is by Gauss and Legendre on intervals that double; it is good to 1e-13 (tests/unit/ewald/test_ewald.cpp).
//
// With softening e, 1/sqrt(r^2 + e^2) is the same integral with one more factor, exp(-e^2 t^2): it is part of the weights.
//
// With three periodic directions the mean over the box is 0, and the mean density is subtracted; with two the sum tends to
// -2 pi |z| / (Lx Ly) far from the plane, with one to -2 ln(r / L) / L far from the line (as in Wunsch et al. 2018, up to
// constants). Softening changes none of that.
//
// In a sheared box x and y have one function together: with theta of y,
//     sum_i exp(-(x + i Lx)^2 t^2) theta(y + i s),
// which is a Fourier series in both where t < sqrt(pi)/Lx, as the lattice of waves is sheared likewise.
#pragma once

#include "ewald/periodic_box.hpp"
#include "physics/types.hpp"

#include <array>
#include <vector>

namespace gravlet {

inline constexpr int max_ewald_order = 5;
/// Derivatives of degrees 0 to `order`, in the order of local_index() (physics/multipole.hpp).
constexpr std::size_t derivative_count(int order) {
    return static_cast<std::size_t>((order + 1) * (order + 2) * (order + 3) / 6);
}

/// Images of one direction, first to last.
struct ImageRange {
    int first = 0, last = 0;
};

/// Number of a derivative by x and y.
constexpr std::size_t plane_index(int a, int b) { return static_cast<std::size_t>((a + b) * (a + b + 1) / 2 + b); }

/// The sum over all images but some near ones, without which it is smooth.
class LatticeSum {
public:
    /// Local. Lengths in any unit. The sum may be asked for where coordinates are up to `reach`, and the nearest image that is in
    /// the sum is at a distance of `nearest` or more. All images are softened, those left out too.
    LatticeSum(const PeriodicBox& box, double reach, double nearest, double softening);

    /// The factors of one direction at one coordinate, for every abscissa of the quadrature.
    struct Axis {
        std::array<std::vector<double>, max_ewald_order + 1> all, left_out;  ///< derivatives
        std::vector<double> excess;  ///< `all` without its factor sqrt(pi)/(t L), if periodic, less 1: small where t is
    };
    /// `left_out`: the images that are not in the sum, in this direction.
    [[nodiscard]] Axis axis(std::size_t direction, double coordinate, int order, ImageRange left_out = {}) const;

    /// The factors of x, or of y, in a sheared box: what x and y have together is a sum of few products, for every abscissa.
    struct ShearedAxis {
        std::array<std::vector<double>, max_ewald_order + 1> all, left_out;  ///< derivatives; an abscissa's terms side by side
    };
    /// `left_out`: the columns of images, periods away in x, of which some are not in the sum; among the `columns` nearest ones
    /// of either side.
    [[nodiscard]] ShearedAxis sheared_x(double x, int order, int columns, ImageRange left_out) const;
    /// `left_out`: which of each column are not in the sum, from -columns to columns.
    [[nodiscard]] ShearedAxis sheared_y(double y, int order, const std::vector<ImageRange>& left_out) const;

    /// The factors of x and y together.
    struct Plane {
        std::vector<std::vector<double>> all, left_out;  ///< derivatives, by plane_index()
        std::vector<double> excess;                      ///< `all`, as an axis has it
    };
    /// Room for derivatives up to `order`: make() takes no memory, as threads that share a loop must not.
    [[nodiscard]] Plane room_for_plane(int order) const;
    void make(const Axis& x, const Axis& y, int order, Plane& out) const;
    void make(const ShearedAxis& x, const ShearedAxis& y, int order, Plane& out) const;
    /// Factors of the sum over all images, in any box.
    [[nodiscard]] Plane plane(double x, double y, int order) const;

    /// Derivatives up to `order` at the position of factors made with that order or more.
    void derivatives(const Plane& xy, const Axis& z, int order, double* out) const;
    [[nodiscard]] double value(const Plane& xy, const Axis& z) const;
    // For sums made elsewhere of the factors of many axes.
    [[nodiscard]] const std::vector<double>& weights() const { return weight_; }
    [[nodiscard]] const std::vector<double>& means() const { return mean_; }
    [[nodiscard]] std::size_t first_direct() const { return first_direct_; }
    [[nodiscard]] double constant() const { return constant_; }

    [[nodiscard]] double value(const Vector3& r) const { return value(plane(r.x, r.y, 0), axis(2, r.z, 0)); }

private:
    [[nodiscard]] bool in_fourier(std::size_t direction, double t) const;
    void set_terms(double reach);

    PeriodicBox box_;
    std::vector<double> t_, weight_;  ///< softened
    std::vector<double> mean_;        ///< the part of the integrand that is the same everywhere
    std::size_t first_direct_;        ///< abscissae before it have all Fourier series: `excess` avoids cancellation
    /// Where each abscissa's terms begin, in a sheared box. The first ones are Fourier series, of two terms a wave in y after one
    /// that is even in y; the others are columns of images.
    std::vector<std::size_t> begin_;
    std::size_t first_of_columns_ = 0;
    double constant_ = 0.0;  ///< what the mean part comes to beyond the last abscissa, and what softening must not take from it
};

/// The whole sum at R, the nearest image's 1/r included. R need not be in the box in periodic directions; without softening, not
/// 0 or an image of it.
double periodic_potential(const PeriodicBox& box, Vector3 r, double softening);

}  // namespace gravlet
