// SPDX-License-Identifier: Apache-2.0
#include "ewald/far_images.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {

namespace {

/// The images in a row for which `is` is true, about the one that is nearest: none, if it is not true of that.
template <class Is>
ImageRange range_about(int nearest, const Is& is) {
    ImageRange range{nearest, nearest - 1};
    while (is(range.last + 1)) ++range.last;
    if (range.last < range.first) return range;
    while (is(range.first - 1)) --range.first;
    return range;
}

}  // namespace

ImageRange BoxPieces::walked(const PeriodicBox& box, std::size_t d, int difference) const {
    const auto is = [&](int image) { return is_walked(difference, difference, image * box.side[d], side); };
    if (!box.periodic[d]) return {0, is(0) ? 0 : -1};
    return range_about(-static_cast<int>(std::lround(difference * side / box.side[d])), is);
}

ImageRange BoxPieces::walked_in_column(const PeriodicBox& box, int column, int difference) const {
    return range_about(-static_cast<int>(std::lround((difference * side + column * box.shear) / box.side[1])),
                       [&](int image) { return is_walked(difference, difference, box.image(column, image, 0).y, side); });
}

int walked_periods(const PeriodicBox& box, const BoxPieces& pieces, std::size_t d) {
    int most = 0;
    for (int difference = 0; difference < pieces.count[d]; ++difference) {
        const ImageRange range = pieces.walked(box, d, difference);
        if (range.first <= range.last) most = std::max({most, std::abs(range.first), std::abs(range.last)});
    }
    return most;
}

namespace {

/// Coordinates of one direction at which the factors of a kernel differ, and which of them each difference of nodes has.
struct FarPlaces {
    struct Place {
        int piece, step;
    };
    std::vector<Place> distinct;
    std::vector<std::size_t> of;  ///< which of `distinct` each difference has, nodes' differences fastest

    /// Differences of pieces from 0 up: the sum is even, and periodic, so that those that are alike have theirs in common.
    static FarPlaces even(const PeriodicBox& box, const BoxPieces& pieces, const FarNodes& nodes, std::size_t d) {
        FarPlaces out;
        const int steps = nodes.differences(), zero = nodes.count - 1, count = pieces.count[d];
        for (int piece = 0; piece < count; ++piece)
            for (int step = -zero; step <= zero; ++step) {
                const int mirrored = piece == 0 ? 0 : repeats(box, pieces, d) ? count - piece : count;
                const bool known = mirrored < piece || (mirrored == piece && step > 0);
                known ? out.of.push_back(out.of[static_cast<std::size_t>(mirrored * steps + zero - step)]) : out.add(piece, step);
            }
        return out;
    }
    /// Differences of pieces from `first` up, neither even nor, unless it is y, periodic.
    static FarPlaces all(const PeriodicBox& box, const BoxPieces& pieces, const FarNodes& nodes, std::size_t d, int first) {
        FarPlaces out;
        const int steps = nodes.differences(), zero = nodes.count - 1;
        const bool periodic = d == 1 && repeats(box, pieces, d);
        for (int piece = first; piece < pieces.count[d]; ++piece)
            for (int step = -zero; step <= zero; ++step) {
                const bool known = periodic && piece > 0;
                known
                    ? out.of.push_back(out.of[static_cast<std::size_t>((piece - pieces.count[d] - first) * steps + step + zero)])
                    : out.add(piece, step);
            }
        return out;
    }

    [[nodiscard]] static double coordinate(const Place& at, const BoxPieces& pieces, const FarNodes& nodes) {
        return at.piece * pieces.side + at.step * (pieces.side / nodes.steps);
    }

private:
    void add(int piece, int step) {
        of.push_back(distinct.size());
        distinct.push_back({piece, step});
    }
    [[nodiscard]] static bool repeats(const PeriodicBox& box, const BoxPieces& pieces, std::size_t d) {
        return box.periodic[d] && std::abs(pieces.count[d] * pieces.side - box.side[d]) < 1e-12 * box.side[d];
    }
};

/// A kernel's factors at its places.
struct FarFactors {
    const LatticeSum& sum;
    const PeriodicBox& box;
    const BoxPieces& pieces;
    const FarNodes& nodes;

    [[nodiscard]] std::vector<LatticeSum::Axis> along(const FarPlaces& places, std::size_t d) const {
        std::vector<LatticeSum::Axis> out;
        out.reserve(places.distinct.size());
        for (const FarPlaces::Place& at : places.distinct)
            out.push_back(sum.axis(d, FarPlaces::coordinate(at, pieces, nodes), 0, pieces.walked(box, d, at.piece)));
        return out;
    }
    [[nodiscard]] std::vector<LatticeSum::ShearedAxis> sheared_x(const FarPlaces& places, int columns) const {
        std::vector<LatticeSum::ShearedAxis> out;
        out.reserve(places.distinct.size());
        for (const FarPlaces::Place& at : places.distinct)
            out.push_back(sum.sheared_x(FarPlaces::coordinate(at, pieces, nodes), 0, columns, pieces.walked(box, 0, at.piece)));
        return out;
    }
    [[nodiscard]] std::vector<LatticeSum::ShearedAxis> sheared_y(const FarPlaces& places, int columns) const {
        std::vector<LatticeSum::ShearedAxis> out;
        out.reserve(places.distinct.size());
        for (const FarPlaces::Place& at : places.distinct) {
            std::vector<ImageRange> left_out;
            for (int column = -columns; column <= columns; ++column)
                left_out.push_back(pieces.walked_in_column(box, column, at.piece));
            out.push_back(sum.sheared_y(FarPlaces::coordinate(at, pieces, nodes), 0, left_out));
        }
        return out;
    }
};

}  // namespace

std::vector<double> far_kernel(const PeriodicBox& box, const BoxPieces& pieces, const FarNodes& nodes, double softening,
                               int threads, Narrator& narrator) {
    const double beyond = 2.0 * nodes.margin() * (pieces.side / nodes.steps);
    double reach = 0.0;
    for (const int count : pieces.count) reach = std::max(reach, count * pieces.side + beyond);
    const LatticeSum sum(box, reach, 0.99 * (pieces.side - beyond), softening);
    const FarFactors factors{sum, box, pieces, nodes};
    const KernelRows rows(box, pieces);
    const FarPlaces at_x = rows.sheared ? FarPlaces::all(box, pieces, nodes, 0, 0) : FarPlaces::even(box, pieces, nodes, 0),
                    at_y = rows.sheared ? FarPlaces::all(box, pieces, nodes, 1, 1 - pieces.count[1])
                                        : FarPlaces::even(box, pieces, nodes, 1),
                    at_z = FarPlaces::even(box, pieces, nodes, 2);
    std::vector<LatticeSum::Axis> x, y;
    std::vector<LatticeSum::ShearedAxis> sheared_x, sheared_y;
    if (rows.sheared) {
        const int columns = walked_periods(box, pieces, 0);
        sheared_x = factors.sheared_x(at_x, columns), sheared_y = factors.sheared_y(at_y, columns);
    } else {
        x = factors.along(at_x, 0), y = factors.along(at_y, 1);
    }
    const std::vector<LatticeSum::Axis> z = factors.along(at_z, 2);
    const std::size_t nx = at_x.distinct.size(), ny = at_y.distinct.size(), nz = z.size();
    std::vector<double> distinct(nx * ny * nz);
    std::vector<LatticeSum::Plane> of_row(ny, sum.room_for_plane(0));
    Progress progress(narrator, "periodic kernel", ny);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t j = 0; j < ny; ++j) {
        LatticeSum::Plane& xy = of_row[j];
        for (std::size_t i = 0; i < nx; ++i) {
            rows.sheared ? sum.make(sheared_x[i], sheared_y[j], 0, xy) : sum.make(x[i], y[j], 0, xy);
            for (std::size_t k = 0; k < nz; ++k) distinct[(k * ny + j) * nx + i] = sum.value(xy, z[k]);
        }
        progress.step();
    }
    const auto steps = static_cast<std::size_t>(nodes.differences());
    const auto pieces_x = static_cast<std::size_t>(pieces.count[0]), pieces_y = static_cast<std::size_t>(rows.count);
    std::vector<double> kernel(at_x.of.size() * at_y.of.size() * at_z.of.size());
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t row = 0; row < kernel.size() / steps; ++row) {
        const std::size_t j = row % steps, k = row / steps % steps, piece = row / (steps * steps), px = piece % pieces_x,
                          py = piece / pieces_x % pieces_y, pz = piece / (pieces_x * pieces_y);
        const double* const from = distinct.data() + (at_z.of[pz * steps + k] * ny + at_y.of[py * steps + j]) * nx;
        for (std::size_t i = 0; i < steps; ++i) kernel[row * steps + i] = from[at_x.of[px * steps + i]];
    }
    return kernel;
}

}  // namespace gravlet
