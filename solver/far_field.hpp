// SPDX-License-Identifier: Apache-2.0
// The images of the periodic box that the walk leaves out (ewald/far_images.hpp), added once for all bodies:
//   1. Bodies are taken in small runs, and a run's mass moments up to degree 4 brought to the nodes of its piece of the box, by
//      the polynomials that are 1 at one node and 0 at the others.
//   2. The nodes' masses of all ranks are added up, and act on each other through the kernel.
//   3. The potential's polynomial is expanded about each run and evaluated at its bodies, with its gradient.
#pragma once

#include "ewald/far_images.hpp"
#include "solver/acceptance.hpp"
#include "solver/bodies.hpp"
#include "solver/far_transform.hpp"
#include "solver/multipole.hpp"
#include "solver/walk_types.hpp"

#include <vector>

namespace gravlet {

inline constexpr int far_degree = 4;

/// The nodes of a box's pieces. "Steps" are lengths in units of the distance between nodes.
struct FarGrid {
    BoxPieces pieces;
    double scale;      ///< steps to a unit
    std::size_t size;  ///< nodes of all pieces

    GRAVLET_HD explicit FarGrid(const BoxPieces& p)
        : pieces(p),
          scale((far_points - 1) / p.side),
          size(static_cast<std::size_t>(p.count[0] * p.count[1] * p.count[2]) * (far_points * far_points * far_points)) {}

    /// How many steps a coordinate is from the first node of its piece, and which piece that is.
    GRAVLET_HD double place(int axis, double coordinate, int& piece) const {
        const double corner = pieces.corner(axis, coordinate);
        piece = static_cast<int>(corner / pieces.side);
        return (coordinate - corner) * scale;
    }
    /// A piece's first node; its others follow, x fastest.
    [[nodiscard]] GRAVLET_HD std::size_t first_node(const int (&piece)[3]) const {
        return ((static_cast<std::size_t>(piece[2]) * pieces.count[1] + piece[1]) * pieces.count[0] + piece[0]) *
               (far_points * far_points * far_points);
    }
};

/// The polynomials of the nodes 0, 1, ... of one axis, as Taylor series about a place: T[i][k] is the coefficient of step^k.
struct NodePolynomials {
    double T[far_points][far_degree + 1];

    GRAVLET_HD explicit NodePolynomials(double place) {
        for (int i = 0; i < far_points; ++i) {
            double* const t = T[i];
            t[0] = 1.0;
            for (int k = 1; k <= far_degree; ++k) t[k] = 0.0;
            for (int j = 0; j < far_points; ++j) {
                if (j == i) continue;
                const double factor = 1.0 / (i - j), root = (place - j) * factor;
                for (int k = far_degree; k > 0; --k) t[k] = t[k] * root + t[k - 1] * factor;
                t[0] *= root;
            }
        }
    }
};

/// A run of bodies that is small against the distance of the images.
struct FarRun {
    std::uint32_t begin, count;
};

/// A run as the nodes see it.
struct FarSource {
    NodePolynomials x, y, z;
    double moment[local_count];  ///< sum m step^k about the run's centre
    std::size_t first_node;
};

/// Longest side of a run, in steps.
inline constexpr double longest_run = 1.5;

GRAVLET_HD inline bool is_small(const Bounds& box, const FarGrid& grid) { return longest_side(box) * grid.scale <= longest_run; }

GRAVLET_HD inline Bounds bounds_of(const Source* bodies, std::uint32_t begin, std::uint32_t end) {
    Bounds box{{2, 2, 2}, {-1, -1, -1}};
    for (std::uint32_t i = begin; i < end; ++i)
        box = united(box, {{bodies[i].x, bodies[i].y, bodies[i].z}, {bodies[i].x, bodies[i].y, bodies[i].z}});
    return box;
}

GRAVLET_HD inline Point3 centre_of(const Source* bodies, const FarRun& run) {
    const Bounds box = bounds_of(bodies, run.begin, run.begin + run.count);
    return {0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y), 0.5 * (box.lower.z + box.upper.z)};
}

/// Calls f(Component<a, b, c>) for all components of degrees 0 to far_degree.
template <class F>
GRAVLET_HD GRAVLET_INLINE void for_far_components(F f) {
    unrolled<far_degree + 1>([&](auto degree) GRAVLET_INLINE_LAMBDA { multipole::for_components<degree.value>(f); });
}

/// Step 1 for one run.
GRAVLET_HD inline FarSource far_source(const Source* bodies, const FarRun& run, const FarGrid& grid) {
    const Point3 centre = centre_of(bodies, run);
    int piece[3];
    FarSource out{NodePolynomials(grid.place(0, centre.x, piece[0])),
                  NodePolynomials(grid.place(1, centre.y, piece[1])),
                  NodePolynomials(grid.place(2, centre.z, piece[2])),
                  {},
                  0};
    out.first_node = grid.first_node(piece);
    for (std::uint32_t i = run.begin; i < run.begin + run.count; ++i) {
        const Source& s = bodies[i];
        const double x = (s.x - centre.x) * grid.scale, y = (s.y - centre.y) * grid.scale, z = (s.z - centre.z) * grid.scale;
        const double px[] = {1, x, x * x, x * x * x, x * x * x * x}, py[] = {1, y, y * y, y * y * y, y * y * y * y},
                     pz[] = {1, z, z * z, z * z * z, z * z * z * z};
        for_far_components([&](auto k) GRAVLET_INLINE_LAMBDA {
            out.moment[local_index(k.a, k.b, k.c)] += s.mass * (px[k.a] * py[k.b] * pz[k.c]);
        });
    }
    return out;
}

/// What a run brings to one row of its piece's nodes: those of places (0 to far_points, j, k).
GRAVLET_HD inline void add_to_row(const FarSource& source, int j, int k, double (&row)[far_points]) {
    double along[far_degree + 1] = {};
    for_far_components([&](auto m) GRAVLET_INLINE_LAMBDA {
        along[m.a] += source.moment[local_index(m.a, m.b, m.c)] * (source.y.T[j][m.b] * source.z.T[k][m.c]);
    });
    for (int i = 0; i < far_points; ++i)
        for (int a = 0; a <= far_degree; ++a) row[i] += source.x.T[i][a] * along[a];
}

/// Step 3: the potential about a run's centre, coefficients of step^k, from the potential at the nodes.
GRAVLET_HD inline void expand(const FarGrid& grid, const double* potential, const Point3& centre, double (&series)[local_count]) {
    int piece[3];
    const NodePolynomials x(grid.place(0, centre.x, piece[0])), y(grid.place(1, centre.y, piece[1])),
        z(grid.place(2, centre.z, piece[2]));
    const double* node = potential + grid.first_node(piece);
    for (double& term : series) term = 0.0;
    for (int k = 0; k < far_points; ++k) {
        double plane[far_degree + 1][far_degree + 1] = {};
        for (int j = 0; j < far_points; ++j, node += far_points) {
            double line[far_degree + 1] = {};
            for (int i = 0; i < far_points; ++i)
                for (int a = 0; a <= far_degree; ++a) line[a] += node[i] * x.T[i][a];
            for (int a = 0; a <= far_degree; ++a)
                for (int b = 0; a + b <= far_degree; ++b) plane[a][b] += line[a] * y.T[j][b];
        }
        for_far_components([&](auto m)
                               GRAVLET_INLINE_LAMBDA { series[local_index(m.a, m.b, m.c)] += plane[m.a][m.b] * z.T[k][m.c]; });
    }
}

template <class Exec>
class FarField {
public:
    explicit FarField(const Exec& exec)
        : exec_(exec),
          transform_(exec),
          masses_(exec.template buffer<double>()),
          potential_(exec.template buffer<double>()),
          partial_(exec.template buffer<double>()),
          first_(exec.template buffer<std::uint32_t>()),
          runs_(exec.template buffer<FarRun>()),
          sources_(exec.template buffer<FarSource>()) {}

    /// Local. Makes the kernel, unless it is that of the solve before: all that it depends on is the box in solver units.
    void begin(const Frame& frame) {
        if (frame.box == box_ && frame.pieces.side == pieces_.side) return;
        const std::vector<double> kernel = far_kernel(frame.box, frame.pieces, exec_.threads);
        transform_.set_kernel(frame.pieces, kernel);
        for (auto* const buffer : {&masses_, &potential_}) buffer->resize_discard(FarGrid(frame.pieces).size);
        box_ = frame.box;
        pieces_ = frame.pieces;
    }

    /// Local. Step 1: this rank's masses at the nodes.
    std::vector<double> collect(const Frame& frame, const Bodies<Exec>& b) {
        const FarGrid grid(frame.pieces);
        make_runs(grid, b);
        bring_to_nodes(grid, b);
        std::vector<double> masses(masses_.size());
        copy_out(exec_, masses_.data(), masses.data(), masses.size());
        return masses;
    }

    /// Local. Steps 2 and 3: adds to the sums of this rank's bodies what the masses at the nodes, of all ranks, come to.
    void add(const std::vector<double>& masses, const Frame& frame, Bodies<Exec>& b) {
        const FarGrid grid(frame.pieces);
        copy_in(exec_, masses.data(), masses_.data(), masses.size());
        transform_.apply(frame.pieces, masses_.data(), potential_.data());
        evaluate(grid, frame.acceleration, b);
    }

    // The parts of these; public because CUDA's extended lambdas may not be in private functions.

    /// Groups that are small are runs; others are cut into pieces of 8 bodies if these are, else into single bodies.
    void make_runs(const FarGrid& grid, const Bodies<Exec>& b) {
        const std::size_t groups = b.groups.size();
        first_.resize_discard(groups);
        std::uint32_t* const first = first_.data();
        const Group* const group = b.groups.data();
        const Source* const bodies = b.bodies.data();
        for_each(exec_, groups, [=] GRAVLET_HD(std::size_t g) {
            const std::uint32_t length = run_length(group[g], bodies, grid);
            first[g] = (group[g].count + length - 1) / length;
        });
        runs_.resize_discard(exclusive_scan(exec_, first, first, groups));
        FarRun* const runs = runs_.data();
        for_each(exec_, groups, [=] GRAVLET_HD(std::size_t g) {
            const std::uint32_t length = run_length(group[g], bodies, grid), end = group[g].begin + group[g].count;
            std::uint32_t run = first[g];
            for (std::uint32_t i = group[g].begin; i < end; i += length) runs[run++] = {i, end - i < length ? end - i : length};
        });
    }

    void bring_to_nodes(const FarGrid& grid, const Bodies<Exec>& b) {
        const std::size_t size = grid.size;
        // Chunks of runs have sums of their own, which are added in a fixed order.
        constexpr std::size_t chunks = Exec::strided ? 64 : 8;
        partial_.resize_discard(chunks * size);
        sources_.resize_discard(std::min(batch, runs_.size()));
        double *const partial = partial_.data(), *const masses = masses_.data();
        FarSource* const sources = sources_.data();
        const Source* const bodies = b.bodies.data();
        for_each(exec_, size, [=] GRAVLET_HD(std::size_t i) { masses[i] = 0.0; });
        for (std::size_t begin = 0; begin < runs_.size(); begin += batch) {
            const std::size_t count = std::min(batch, runs_.size() - begin);
            const FarRun* const runs = runs_.data() + begin;
            for_each(exec_, count, [=] GRAVLET_HD(std::size_t r) { sources[r] = far_source(bodies, runs[r], grid); });
            for_each(exec_, chunks * size, [=] GRAVLET_HD(std::size_t i) { partial[i] = 0.0; });
            constexpr std::size_t rows = far_points * far_points;
            for_each(exec_, chunks * rows, [=] GRAVLET_HD(std::size_t i) {
                const std::size_t chunk = i / rows, row = i % rows;
                const std::size_t from = count * chunk / chunks, to = count * (chunk + 1) / chunks;
                double* const out = partial + chunk * size + row * far_points;
                for (std::size_t r = from; r < to;) {
                    const std::size_t first_node = sources[r].first_node;
                    double sums[far_points] = {};
                    for (; r < to && sources[r].first_node == first_node; ++r)
                        add_to_row(sources[r], static_cast<int>(row % far_points), static_cast<int>(row / far_points), sums);
                    for (int n = 0; n < far_points; ++n) out[first_node + n] += sums[n];
                }
            });
            for_each(exec_, size, [=] GRAVLET_HD(std::size_t node) {
                double sum = 0.0;
                for (std::size_t chunk = 0; chunk < chunks; ++chunk) sum += partial[chunk * size + node];
                masses[node] += sum;
            });
        }
    }

    void evaluate(const FarGrid& grid, bool acceleration, Bodies<Exec>& b) {
        const FarRun* const runs = runs_.data();
        const Source* const bodies = b.bodies.data();
        const double* const nodes = potential_.data();
        double* const potential = b.potential.data();
        double *const gx = b.field[0].data(), *const gy = b.field[1].data(), *const gz = b.field[2].data();
        for_each(exec_, runs_.size(), [=] GRAVLET_HD(std::size_t r) {
            const Point3 centre = centre_of(bodies, runs[r]);
            double series[local_count];
            expand(grid, nodes, centre, series);
            for (std::uint32_t i = runs[r].begin; i < runs[r].begin + runs[r].count; ++i) {
                const Source& s = bodies[i];
                const auto f = evaluate_polynomial<far_degree, 0, true>(
                    (s.x - centre.x) * grid.scale, (s.y - centre.y) * grid.scale, (s.z - centre.z) * grid.scale,
                    [&](auto k) { return series[local_index(k.a, k.b, k.c)]; });
                potential[i] += f.value;
                if (!acceleration) continue;
                gx[i] += f.x * grid.scale;
                gy[i] += f.y * grid.scale;
                gz[i] += f.z * grid.scale;
            }
        });
    }

private:
    static constexpr std::size_t batch = 16384;

    GRAVLET_HD static std::uint32_t run_length(const Group& group, const Source* bodies, const FarGrid& grid) {
        if (is_small(group.box, grid)) return group.count > 0 ? group.count : 1;
        constexpr std::uint32_t shorter = 8;
        const std::uint32_t end = group.begin + group.count;
        for (std::uint32_t i = group.begin; i < end; i += shorter)
            if (!is_small(bounds_of(bodies, i, end - i < shorter ? end : i + shorter), grid)) return 1;
        return shorter;
    }

    Exec exec_;
    PeriodicBox box_;
    BoxPieces pieces_;  ///< the kernel is of these
    FarTransform<Exec> transform_;
    typename Exec::template Buffer<double> masses_, potential_, partial_;
    typename Exec::template Buffer<std::uint32_t> first_;
    typename Exec::template Buffer<FarRun> runs_;
    typename Exec::template Buffer<FarSource> sources_;
};

}  // namespace gravlet
