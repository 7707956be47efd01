// SPDX-License-Identifier: Apache-2.0
#include "ewald/table.hpp"

#include "ewald/lattice_sum.hpp"

#include <gravlet/error.hpp>

#include <algorithm>
#include <cmath>

namespace gravlet {
namespace {

/// Far from a plane or a line of images, in units of the longest period, what it is made of has faded to 1e-11.
constexpr double asymptotic = 4.0;

double limit_of(const PeriodicBox& box) { return asymptotic * box.longest_period(); }

/// How far the table reaches.
std::array<double, 3> extent_of(const PeriodicBox& box) {
    std::array<double, 3> extent{};
    for (std::size_t d = 0; d < 3; ++d) extent[d] = box.periodic[d] ? 0.5 * box.side[d] : std::min(box.side[d], limit_of(box));
    return extent;
}

}  // namespace

EwaldTable::EwaldTable(const EwaldParameters& parameters, int threads, Narrator& narrator) {
    lay_out(parameters);
    Progress progress(narrator, "Ewald table", size() / ewald_terms);
    polynomials_.assign(size(), 0.0);
    double* const unsoftened = polynomials_.data();
    for (int level = 0; level < layout_.levels; ++level) {
        compute(parameters, 0.0, level, threads, unsoftened, progress);
        if (size() > table_size()) compute(parameters, parameters.softening, level, threads, unsoftened + table_size(), progress);
    }
}

EwaldTable::EwaldTable(const EwaldParameters& parameters, std::vector<double> polynomials)
    : polynomials_(std::move(polynomials)) {
    lay_out(parameters);
    if (polynomials_.size() != size()) throw Error(ErrorCode::file, "the Ewald table has another size than expected");
}

EwaldView EwaldTable::view(const double* polynomials) const {
    EwaldView out = layout_;
    out.polynomials = polynomials;
    out.softened = polynomials + (size() - table_size());
    return out;
}

void EwaldTable::lay_out(const EwaldParameters& parameters) {
    const PeriodicBox& box = parameters.box;
    const std::array<double, 3> extent = extent_of(box);
    layout_.dimensions = box.dimensions();
    layout_.limit = limit_of(box);
    layout_.softening = parameters.softening;
    layout_.shear = box.shear;
    for (std::size_t d = 0; d < 3; ++d) {
        layout_.period[d] = box.periodic[d] ? box.side[d] : 0.0;
        if (box.periodic[d]) layout_.measure *= box.side[d];
    }
    double reach = 0.5;
    for (bool last = false; !last; reach *= 2.0) {
        EwaldView::Level& level = layout_.level[layout_.levels++];
        level.first = static_cast<std::uint32_t>(nodes_);
        last = layout_.levels == max_ewald_levels;
        bool all = true;
        std::size_t nodes = 1;
        for (std::size_t d = 0; d < 3; ++d) {
            const bool whole = extent[d] <= reach || (d == 1 && box.shear != 0.0 && reach >= 0.5 * box.side[0]);
            const double here = whole ? extent[d] : reach;
            all = all && whole;
            level.last[d] = static_cast<int>(std::ceil(here / reach * parameters.nodes - 1e-9));
            level.spacing[d] = here / level.last[d];
            level.inverse_spacing[d] = level.last[d] / here;
            if (d == 1 && box.shear != 0.0) level.below = level.last[d], level.last[d] *= 2;
            nodes *= static_cast<std::size_t>(level.last[d]) + 1;
        }
        nodes_ += nodes;
        last = last || all;
    }
}

void EwaldTable::compute(const EwaldParameters& parameters, double softening, int level, int threads, double* polynomials,
                         Progress& progress) const {
    const LatticeSum sum(parameters.box, std::ranges::max(extent_of(parameters.box)), 0.5, softening);
    const EwaldView::Level& grid = layout_.level[level];
    const auto coordinate = [&](std::size_t node, std::size_t d) {
        return (static_cast<double>(node) - (d == 1 ? grid.below : 0)) * grid.spacing[d];
    };
    const int order = parameters.order;
    const bool sheared = parameters.box.shear != 0.0;
    std::array<std::vector<LatticeSum::Axis>, 3> axes;
    std::array<std::vector<LatticeSum::ShearedAxis>, 2> sheared_axes;
    for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t node = 0; node <= static_cast<std::size_t>(grid.last[d]); ++node) {
            const double at = coordinate(node, d);
            if (!sheared || d == 2) axes[d].push_back(sum.axis(d, at, order));
            if (sheared && d == 0) sheared_axes[d].push_back(sum.sheared_x(at, order, 0, {0, 0}));
            if (sheared && d == 1) sheared_axes[d].push_back(sum.sheared_y(at, order, {{0, 0}}));
        }
    const auto nodes = [&](std::size_t d) { return static_cast<std::size_t>(grid.last[d]) + 1; };
    const std::size_t nx = nodes(0), ny = nodes(1), nz = nodes(2);
    std::vector<LatticeSum::Plane> of_row(ny, sum.room_for_plane(order));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t j = 0; j < ny; ++j) {
        LatticeSum::Plane& xy = of_row[j];
        for (std::size_t i = 0; i < nx; ++i) {
            sheared ? sum.make(sheared_axes[0][i], sheared_axes[1][j], order, xy) : sum.make(axes[0][i], axes[1][j], order, xy);
            for (std::size_t k = 0; k < nz; ++k) {
                double* const out = polynomials + (grid.first + (k * ny + j) * nx + i) * ewald_terms;
                sum.derivatives(xy, axes[2][k], order, out);
                for (int a = 0; a <= order; ++a)
                    for (int b = 0; a + b <= order; ++b)
                        for (int c = 0; a + b + c <= order; ++c) out[local_index(a, b, c)] /= multipole::factorials(a, b, c);
                progress.step();
            }
        }
    }
}

}  // namespace gravlet
