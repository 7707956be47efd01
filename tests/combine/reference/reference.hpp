// SPDX-License-Identifier: Apache-2.0
// What is right at a place of a case, by naive sums over all bodies and their images.
#pragma once

#include "tests/combine/case.hpp"
#include "tests/combine/reference/lattice.hpp"

#include <array>
#include <optional>

namespace gravlet::combine {

/// A body, as sums see it.
struct Mass {
    Vector x{};
    double mass = 0.0, softening = 0.0;
    bool point = false;
    Vector side{};  ///< of cells
    [[nodiscard]] bool operator==(const Mass&) const = default;
};
std::vector<Mass> masses_of(const Bodies& bodies, int acting_classes);
/// Cell (i, j, k) of a block.
Vector centre_of(const Patch& patch, int i, int j, int k);

/// Where a result belongs.
struct Place {
    Vector x{};
    double softening = 0.0;
    bool point = false;
    std::ptrdiff_t self = -1;      ///< its body, of Reference's masses
    std::optional<Vector> side{};  ///< for which that body's own potential is; its own without
};

/// Of a cuboid's mass, the potential at its centre: that times 1/sum is -G m.
double cuboid_own_potential(const Vector& side);

/// In units of the reference's own: potential first, then acceleration, then the tidal tensor. By the number of derivatives,
/// `sizes` is the sum of what each body adds, without its sign (of a periodic one all its images or the nearest alone, whichever
/// is larger: they may cancel), and `rounding` what a rounding of all coordinates may change.
struct Sum {
    double potential = 0.0;
    Vector acceleration{};
    std::array<double, 6> tidal{};
    std::array<double, 3> sizes{}, rounding{};
};

class Reference {
public:
    Reference(const Options& options, const Bodies& bodies);

    [[nodiscard]] Sum at(const Place& place) const;
    [[nodiscard]] const std::vector<Mass>& masses() const { return masses_; }
    /// Of the potential (0), acceleration and tidal tensor, of which a case's results are so many.
    [[nodiscard]] double unit(int derivatives) const;
    /// G M over the shortest period, and its square and cube, in these units; 0 without periods.
    [[nodiscard]] double far(int derivatives) const;

private:
    void set_units();
    [[nodiscard]] Jet nearest(const Vector& near, double softening) const;
    [[nodiscard]] Jet images(const Vector& near, double softening) const;

    Options options_;
    std::vector<Mass> masses_;
    double length_ = 1.0, mass_ = 1.0, shortest_ = 0.0, rounding_ = 0.0;
    std::optional<Lattice> bare_, softened_;
};

}  // namespace gravlet::combine
