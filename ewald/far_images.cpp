// SPDX-License-Identifier: Apache-2.0
#include "ewald/far_images.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {

ImageRange BoxPieces::walked(const PeriodicBox& box, std::size_t d, int difference) const {
    ImageRange range{0, 0};
    if (!box.periodic[d]) {
        if (!is_walked(difference, difference, 0.0, side)) range.last = -1;
        return range;
    }
    const auto is = [&](int image) { return is_walked(difference, difference, image * box.side[d], side); };
    // The middle of those that are walked, if any is, lies where the distance is least.
    const int nearest = -static_cast<int>(std::lround(difference * side / box.side[d]));
    range = {nearest, nearest - 1};
    while (is(range.last + 1)) ++range.last;
    if (range.last < range.first) return range;
    while (is(range.first - 1)) --range.first;
    return range;
}

std::vector<ImageInPlane> BoxPieces::walked_in_plane(const PeriodicBox& box, int difference_x, int difference_y) const {
    std::vector<ImageInPlane> out;
    const ImageRange columns = walked(box, 0, difference_x);
    for (int i = columns.first; i <= columns.last; ++i) {
        const auto is = [&](int j) { return is_walked(difference_y, difference_y, box.image(i, j, 0).y, side); };
        const int nearest = -static_cast<int>(std::lround((difference_y * side + i * box.shear) / box.side[1]));
        for (int j = nearest; is(j); ++j) out.push_back({i, j});
        for (int j = nearest - 1; is(j); --j) out.push_back({i, j});
    }
    return out;
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
    /// From `first` up, neither even nor, unless it is y, periodic.
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
    [[nodiscard]] LatticeSum::Plane sheared(const FarPlaces::Place& x, const FarPlaces::Place& y) const {
        return sum.plane(FarPlaces::coordinate(x, pieces, nodes), FarPlaces::coordinate(y, pieces, nodes), 0,
                         pieces.walked_in_plane(box, x.piece, y.piece));
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
    if (!rows.sheared) x = factors.along(at_x, 0), y = factors.along(at_y, 1);
    const std::vector<LatticeSum::Axis> z = factors.along(at_z, 2);
    const std::size_t nx = at_x.distinct.size(), ny = at_y.distinct.size(), nz = z.size();
    std::vector<double> distinct(nx * ny * nz);
    Progress progress(narrator, "periodic kernel", nx * ny);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t column = 0; column < nx * ny; ++column) {
        const std::size_t i = column % nx, j = column / nx;
        const LatticeSum::Plane xy =
            rows.sheared ? factors.sheared(at_x.distinct[i], at_y.distinct[j]) : sum.plane(x[i], y[j], 0);
        for (std::size_t k = 0; k < nz; ++k) distinct[(k * ny + j) * nx + i] = sum.value(xy, z[k]);
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
