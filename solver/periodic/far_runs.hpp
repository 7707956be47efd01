// SPDX-License-Identifier: Apache-2.0
// A run of bodies against the nodes of its piece of a periodic box (solver/periodic/far_images.hpp): its mass brought to them,
// their potential expanded about it.
#pragma once

#include "ewald/far_images.hpp"
#include "physics/acceptance.hpp"
#include "physics/multipole.hpp"
#include "solver/data/walk_types.hpp"

namespace gravlet {

inline constexpr int far_degree = 4;
inline constexpr int piece_nodes = side_nodes * side_nodes * side_nodes;

/// The nodes of a box's pieces. "Steps" are lengths in units of the distance between nodes.
struct FarGrid {
    BoxPieces pieces;
    double scale;      ///< steps to a unit
    std::size_t size;  ///< nodes of all pieces

    GRAVLET_HD explicit FarGrid(const BoxPieces& p)
        : pieces(p),
          scale((side_nodes - 1) / p.side),
          size(static_cast<std::size_t>(p.count[0] * p.count[1] * p.count[2]) * piece_nodes) {}

    /// How many steps a coordinate is from the first node of its piece, and which piece that is.
    GRAVLET_HD double place(int axis, double coordinate, int& piece) const {
        const double index = pieces.index(axis, coordinate);
        piece = static_cast<int>(index);
        const Vector3& corner = pieces.cube.corner;
        return (coordinate - (axis == 0 ? corner.x : axis == 1 ? corner.y : corner.z) - index * pieces.side) * scale;
    }
    /// Whether the polynomials of its piece are good for a position: it is there, up to rounding.
    [[nodiscard]] GRAVLET_HD bool is_in_range(const Vector3& at) const {
        int piece = 0;
        const auto good = [](double steps) { return steps >= -1e-3 && steps <= side_nodes - 1 + 1e-3; };
        return good(place(0, at.x, piece)) && good(place(1, at.y, piece)) && good(place(2, at.z, piece));
    }
    /// A piece's number; its nodes are those from number * piece_nodes on, x fastest.
    [[nodiscard]] GRAVLET_HD int number(const int (&piece)[3]) const {
        return (piece[2] * pieces.count[1] + piece[1]) * pieces.count[0] + piece[0];
    }
    [[nodiscard]] GRAVLET_HD int piece_of(const Source& body) const {
        int piece[3];
        place(0, body.x, piece[0]), place(1, body.y, piece[1]), place(2, body.z, piece[2]);
        return number(piece);
    }
};

/// The polynomials of the nodes 0, 1, ... of one axis, as Taylor series about a position: T[i][k] is the coefficient of step^k.
template <class Real>
struct NodePolynomials {
    Real T[side_nodes][far_degree + 1];

    GRAVLET_HD explicit NodePolynomials(double place) {
        for (int i = 0; i < side_nodes; ++i) {
            double t[far_degree + 1] = {1.0};
            for (int j = 0; j < side_nodes; ++j) {
                if (j == i) continue;
                const double factor = 1.0 / (i - j), root = (place - j) * factor;
                for (int k = far_degree; k > 0; --k) t[k] = t[k] * root + t[k - 1] * factor;
                t[0] *= root;
            }
            for (int k = 0; k <= far_degree; ++k) T[i][k] = static_cast<Real>(t[k]);
        }
    }
};

/// A run of bodies that is small against the distance of the images.
struct FarRun {
    std::uint32_t begin, count;
};

/// A run as the nodes see it.
struct FarSource {
    NodePolynomials<float> x, y, z;
    float moment[local_count];  ///< sum m step^k about the run's centre
};

/// The potential about a run's centre, coefficients of step^k.
struct FarSeries {
    Vector3 centre;
    double term[local_count];

    /// By steps.
    template <int D>
    GRAVLET_HD Jet<double, D> at(const Source& s, const FarGrid& grid) const {
        return evaluate_polynomial<far_degree, 0, D>((s.x - centre.x) * grid.scale, (s.y - centre.y) * grid.scale,
                                                     (s.z - centre.z) * grid.scale,
                                                     [this](auto k) { return term[local_index(k.a, k.b, k.c)]; });
    }
};

/// Longest side of a run, in steps.
inline constexpr double longest_run = 1.6;

GRAVLET_HD inline bool is_small(const Bounds& box, const FarGrid& grid) { return longest_side(box) * grid.scale <= longest_run; }

GRAVLET_HD inline bool in_one_piece(const Bounds& box, const FarGrid& grid) {
    const BoxPieces& p = grid.pieces;
    return p.index(0, box.lower.x) == p.index(0, box.upper.x) && p.index(1, box.lower.y) == p.index(1, box.upper.y) &&
           p.index(2, box.lower.z) == p.index(2, box.upper.z);
}

GRAVLET_HD inline Bounds bounds_of(const Source* bodies, std::uint32_t begin, std::uint32_t end) {
    Bounds box = empty_bounds();
    for (std::uint32_t i = begin; i < end; ++i)
        box = united(box, {{bodies[i].x, bodies[i].y, bodies[i].z}, {bodies[i].x, bodies[i].y, bodies[i].z}});
    return box;
}

GRAVLET_HD inline Vector3 centre_of(const Source* bodies, const FarRun& run) {
    const Bounds box = bounds_of(bodies, run.begin, run.begin + run.count);
    return {0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y), 0.5 * (box.lower.z + box.upper.z)};
}

/// Calls f(Component<a, b, c>) for all components of degrees 0 to far_degree.
template <class F>
GRAVLET_HD GRAVLET_INLINE void for_far_components(F f) {
    unrolled<far_degree + 1>([&](auto degree) GRAVLET_INLINE_LAMBDA { multipole::for_components<degree.value>(f); });
}

/// Whose masses or whose potentials are meant: of all bodies, or of the cells, which act on each other through a second kernel.
enum class Among { all, cells };

GRAVLET_HD inline bool is_of(const Source& body, Among which) { return which == Among::all || body.softening == 0.0f; }

/// Step 1 for one run.
GRAVLET_HD inline FarSource far_source(const Source* bodies, const FarRun& run, const FarGrid& grid, Among which) {
    const Vector3 centre = centre_of(bodies, run);
    int piece[3];
    FarSource out{NodePolynomials<float>(grid.place(0, centre.x, piece[0])),
                  NodePolynomials<float>(grid.place(1, centre.y, piece[1])),
                  NodePolynomials<float>(grid.place(2, centre.z, piece[2])),
                  {}};
    if (!grid.is_in_range(centre)) out.moment[0] = nanf("");  // that is seen once all nodes' masses are added up
    for (std::uint32_t i = run.begin; i < run.begin + run.count; ++i) {
        const Source& s = bodies[i];
        if (!is_of(s, which)) continue;
        const float x = static_cast<float>((s.x - centre.x) * grid.scale), y = static_cast<float>((s.y - centre.y) * grid.scale),
                    z = static_cast<float>((s.z - centre.z) * grid.scale);
        const float px[] = {1, x, x * x, x * x * x, x * x * x * x}, py[] = {1, y, y * y, y * y * y, y * y * y * y},
                    pz[] = {1, z, z * z, z * z * z, z * z * z * z};
        for_far_components([&](auto k) GRAVLET_INLINE_LAMBDA {
            out.moment[local_index(k.a, k.b, k.c)] += s.mass * (px[k.a] * py[k.b] * pz[k.c]);
        });
    }
    return out;
}

/// What a run brings to one row of its piece's nodes: those of places (0 to side_nodes, j, k).
GRAVLET_HD inline void add_to_row(const FarSource& source, int j, int k, double (&row)[side_nodes]) {
    float along[far_degree + 1] = {};
    for_far_components([&](auto m) GRAVLET_INLINE_LAMBDA {
        along[m.a] += source.moment[local_index(m.a, m.b, m.c)] * (source.y.T[j][m.b] * source.z.T[k][m.c]);
    });
    for (int i = 0; i < side_nodes; ++i) {
        float sum = 0.0f;
        for (int a = 0; a <= far_degree; ++a) sum += source.x.T[i][a] * along[a];
        row[i] += sum;
    }
}

/// Step 3, from the potential at the nodes of the run's piece.
GRAVLET_HD inline FarSeries expand(const FarGrid& grid, const double* potential, const Vector3& centre) {
    int piece[3];
    const NodePolynomials<double> x(grid.place(0, centre.x, piece[0])), y(grid.place(1, centre.y, piece[1])),
        z(grid.place(2, centre.z, piece[2]));
    const double* node = potential + std::size_t{piece_nodes} * static_cast<std::size_t>(grid.number(piece));
    FarSeries out{centre, {}};
    for (int k = 0; k < side_nodes; ++k) {
        double plane[far_degree + 1][far_degree + 1] = {};
        for (int j = 0; j < side_nodes; ++j, node += side_nodes) {
            double line[far_degree + 1] = {};
            for (int i = 0; i < side_nodes; ++i)
                for (int a = 0; a <= far_degree; ++a) line[a] += node[i] * x.T[i][a];
            for (int a = 0; a <= far_degree; ++a)
                for (int b = 0; a + b <= far_degree; ++b) plane[a][b] += line[a] * y.T[j][b];
        }
        for_far_components([&](auto m)
                               GRAVLET_INLINE_LAMBDA { out.term[local_index(m.a, m.b, m.c)] += plane[m.a][m.b] * z.T[k][m.c]; });
    }
    return out;
}

}  // namespace gravlet
