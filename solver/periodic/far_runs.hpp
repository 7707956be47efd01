// SPDX-License-Identifier: Apache-2.0
// A run of bodies against the nodes of its piece of a periodic box (solver/periodic/far_images.hpp): its mass brought to them,
// their potential expanded about it.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/multipole.hpp"
#include "physics/precise/exact_source.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/periodic/far_levels.hpp"

namespace gravlet {

/// The nodes of a box's pieces. "Steps" are lengths in units of the distance between nodes.
template <class Nodes>
struct FarGrid {
    static constexpr int piece_nodes = Nodes::side * Nodes::side * Nodes::side;
    static constexpr double margin = 0.5 * (Nodes::side - 1 - Nodes::steps);

    BoxPieces pieces;
    double scale;      ///< steps to a unit
    std::size_t size;  ///< nodes of all pieces

    GRAVLET_HD explicit FarGrid(const BoxPieces& p)
        : pieces(p),
          scale(Nodes::steps / p.side),
          size(static_cast<std::size_t>(p.count[0] * p.count[1] * p.count[2]) * piece_nodes) {}

    /// How many steps a coordinate is from the first node of its piece, and which piece that is.
    GRAVLET_HD double place(int axis, double coordinate, int& piece) const {
        const double index = pieces.index(axis, coordinate);
        piece = static_cast<int>(index);
        const Vector3& corner = pieces.cube.corner;
        return (coordinate - (axis == 0 ? corner.x : axis == 1 ? corner.y : corner.z) - index * pieces.side) * scale + margin;
    }
    /// Whether the polynomials of its piece are good for a position: it is there, up to rounding.
    [[nodiscard]] GRAVLET_HD bool is_in_range(const Vector3& at) const {
        int piece = 0;
        const auto good = [](double steps) { return steps >= margin - 1e-3 && steps <= margin + Nodes::steps + 1e-3; };
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

/// The polynomials of the nodes of one axis that are used about a position, as Taylor series about it: T[k][i] is the coefficient
/// of step^k of that of node begin + i, which is 1 there and 0 at the others.
template <class Nodes, class Real, int Degree>
struct NodePolynomials {
    Real T[Degree + 1][Nodes::used];
    int begin;

    GRAVLET_HD explicit NodePolynomials(double place) : begin(first_used(place)) { set<Degree>(place); }
    /// The polynomials with only the coefficients up to a lower degree.
    template <int Lower>
    GRAVLET_HD NodePolynomials(double place, Index<Lower>) : begin(first_used(place)) {
        set<Lower>(place);
    }

private:
    /// The middle is where polynomials are best.
    GRAVLET_HD static int first_used(double place) {
        constexpr int last = Nodes::side - Nodes::used;
        if constexpr (last == 0) return 0;
        const double begin = rint(place - 0.5 * (Nodes::used - 1));
        return begin > 0.0 ? (begin < last ? static_cast<int>(begin) : last) : 0;
    }

    template <int Highest>
    GRAVLET_HD void set(double place) {
        for (int i = 0; i < Nodes::used; ++i) {
            double t[Highest + 1] = {1.0};
            for (int j = 0; j < Nodes::used; ++j) {
                if (j == i) continue;
                const double factor = 1.0 / (i - j), root = (place - (begin + j)) * factor;
                for (int k = Highest; k > 0; --k) t[k] = t[k] * root + t[k - 1] * factor;
                t[0] *= root;
            }
            for (int k = 0; k <= Highest; ++k) T[k][i] = static_cast<Real>(t[k]);
        }
    }
};

/// Terms of degrees 0 to `degree`, in the order of local_index().
GRAVLET_HD constexpr int far_terms(int degree) { return local_index(0, 0, degree) + 1; }

/// A run of bodies that is small against the distance of the images.
struct FarRun {
    std::uint32_t begin, count;
};

/// A run as the nodes see it. A body that is one by itself has no moments but its mass.
template <class Nodes>
struct FarSource {
    static constexpr int degree = Nodes::source_degree;
    using Real = typename Nodes::Real;
    using Polynomials = NodePolynomials<Nodes, Real, degree>;

    Polynomials x, y, z;
    bool alone;
    Real moment[far_terms(degree)] = {};  ///< sum m step^k about the run's centre

    GRAVLET_HD FarSource(double at_x, double at_y, double at_z) : x(at_x), y(at_y), z(at_z), alone(degree == 0) {}
    template <int Lower>
    GRAVLET_HD FarSource(double at_x, double at_y, double at_z, Index<Lower> lower)
        : x(at_x, lower), y(at_y, lower), z(at_z, lower), alone(true) {}
};

/// The potential about a run's centre, coefficients of step^k.
template <class Nodes>
struct FarSeries {
    static constexpr int degree = Nodes::series_degree;

    Vector3 centre;
    double term[far_terms(degree)];

    /// The potential and its derivatives by steps.
    template <int D>
    GRAVLET_HD Jet<double, D> at(const Source& s, const FarGrid<Nodes>& grid) const {
        return evaluate_polynomial<degree, 0, D>((s.x - centre.x) * grid.scale, (s.y - centre.y) * grid.scale,
                                                 (s.z - centre.z) * grid.scale,
                                                 [this](auto k) { return term[local_index(k.a, k.b, k.c)]; });
    }
};

template <class Nodes>
GRAVLET_HD bool is_small(const Bounds& box, const FarGrid<Nodes>& grid) {
    return longest_side(box) <= Nodes::longest_run * grid.pieces.side;
}

GRAVLET_HD inline bool in_one_piece(const Bounds& box, const BoxPieces& p) {
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

/// Calls f(Component<a, b, c>) for all components of degrees 0 to Degree.
template <int Degree, class F>
GRAVLET_HD GRAVLET_INLINE void for_far_components(F f) {
    unrolled<Degree + 1>([&](auto degree) GRAVLET_INLINE_LAMBDA { multipole::for_components<degree.value>(f); });
}

/// The bodies whose masses or whose potentials are meant: of all bodies, or of the cells, which act on each other through a
/// second kernel.
enum class Among { all, cells };

GRAVLET_HD inline bool is_of(const Source& body, Among which) { return which == Among::all || body.softening == 0.0f; }

/// Step 1 for one run.
template <class Nodes>
GRAVLET_HD FarSource<Nodes> far_source(const Source* bodies, const ExactSource* exact, const FarRun& run,
                                       const FarGrid<Nodes>& grid, Among which) {
    using Out = FarSource<Nodes>;
    using Real = typename Out::Real;
    const Vector3 centre = centre_of(bodies, run);
    int piece[3];
    const double at[] = {grid.place(0, centre.x, piece[0]), grid.place(1, centre.y, piece[1]), grid.place(2, centre.z, piece[2])};
    Out out = run.count == 1 ? Out(at[0], at[1], at[2], Index<0>{}) : Out(at[0], at[1], at[2]);
    if (!grid.is_in_range(centre)) out.moment[0] = static_cast<Real>(nanf(""));  // seen once all nodes' masses are added up
    for (std::uint32_t i = run.begin; i < run.begin + run.count; ++i) {
        const Source& s = bodies[i];
        if (!is_of(s, which)) continue;
        const Real mass = static_cast<Real>(exact != nullptr ? exact[i].mass : exact_mass(s));
        if (out.alone) {
            out.moment[0] += mass;
            continue;
        }
        const Real x = static_cast<Real>((s.x - centre.x) * grid.scale), y = static_cast<Real>((s.y - centre.y) * grid.scale),
                   z = static_cast<Real>((s.z - centre.z) * grid.scale);
        Real px[Out::degree + 1] = {1}, py[Out::degree + 1] = {1}, pz[Out::degree + 1] = {1};
        for (int k = 1; k <= Out::degree; ++k) px[k] = px[k - 1] * x, py[k] = py[k - 1] * y, pz[k] = pz[k - 1] * z;
        for_far_components<Out::degree>([&](auto k) GRAVLET_INLINE_LAMBDA {
            out.moment[local_index(k.a, k.b, k.c)] += mass * (px[k.a] * py[k.b] * pz[k.c]);
        });
    }
    return out;
}

/// What a run brings to one row of its piece's nodes: those of places (0 to side, j, k).
template <class Nodes>
GRAVLET_HD void add_to_row(const FarSource<Nodes>& source, int j, int k, double (&row)[Nodes::side]) {
    constexpr int degree = FarSource<Nodes>::degree;
    j -= source.y.begin, k -= source.z.begin;
    if (j < 0 || j >= Nodes::used || k < 0 || k >= Nodes::used) return;
    if (source.alone) {
        const typename Nodes::Real mass = source.moment[0] * (source.y.T[0][j] * source.z.T[0][k]);
        for (int i = 0; i < Nodes::used; ++i) row[source.x.begin + i] += source.x.T[0][i] * mass;
        return;
    }
    typename Nodes::Real along[degree + 1] = {};
    for_far_components<degree>([&](auto m) GRAVLET_INLINE_LAMBDA {
        along[m.a] += source.moment[local_index(m.a, m.b, m.c)] * (source.y.T[m.b][j] * source.z.T[m.c][k]);
    });
    for (int i = 0; i < Nodes::used; ++i) {
        typename Nodes::Real sum = 0;
        for (int a = 0; a <= degree; ++a) sum += source.x.T[a][i] * along[a];
        row[source.x.begin + i] += sum;
    }
}

/// Step 1 for a mass by itself, in double at any level. `masses`: of all nodes.
template <class Nodes>
void bring_to_nodes(const FarGrid<Nodes>& grid, const Vector3& at, double mass, double* masses) {
    using Polynomials = NodePolynomials<Nodes, double, 0>;
    int piece[3];
    const Polynomials x(grid.place(0, at.x, piece[0])), y(grid.place(1, at.y, piece[1])), z(grid.place(2, at.z, piece[2]));
    double* const first = masses + static_cast<std::size_t>(grid.number(piece)) * grid.piece_nodes;
    if (!grid.is_in_range(at)) *first = static_cast<double>(nanf(""));
    for (int k = 0; k < Nodes::used; ++k)
        for (int j = 0; j < Nodes::used; ++j) {
            double* const row = first + ((z.begin + k) * Nodes::side + y.begin + j) * Nodes::side + x.begin;
            for (int i = 0; i < Nodes::used; ++i) row[i] += mass * z.T[0][k] * y.T[0][j] * x.T[0][i];
        }
}

/// The terms up to Degree.
template <int Degree, class Nodes>
GRAVLET_HD void expand(const FarGrid<Nodes>& grid, const double* potential, FarSeries<Nodes>& out) {
    constexpr int used = Nodes::used;
    using Polynomials = NodePolynomials<Nodes, double, Degree>;
    int piece[3];
    const Polynomials x(grid.place(0, out.centre.x, piece[0])), y(grid.place(1, out.centre.y, piece[1])),
        z(grid.place(2, out.centre.z, piece[2]));
    const double* const nodes =
        potential + static_cast<std::size_t>(grid.piece_nodes) * static_cast<std::size_t>(grid.number(piece));
    for (int k = 0; k < used; ++k) {
        const double* node = nodes + ((z.begin + k) * Nodes::side + y.begin) * Nodes::side + x.begin;
        double plane[Degree + 1][Degree + 1] = {};
        for (int j = 0; j < used; ++j, node += Nodes::side) {
            double line[Degree + 1] = {};
            for (int i = 0; i < used; ++i)
                for (int a = 0; a <= Degree; ++a) line[a] += node[i] * x.T[a][i];
            for (int a = 0; a <= Degree; ++a)
                for (int b = 0; a + b <= Degree; ++b) plane[a][b] += line[a] * y.T[b][j];
        }
        for_far_components<Degree>(
            [&](auto m) GRAVLET_INLINE_LAMBDA { out.term[local_index(m.a, m.b, m.c)] += plane[m.a][m.b] * z.T[m.c][k]; });
    }
}

/// Step 3, from the potential at the nodes of the run's piece. A body by itself is at the centre.
template <class Nodes>
GRAVLET_HD FarSeries<Nodes> expand(const FarGrid<Nodes>& grid, const double* potential, const Vector3& centre, bool alone) {
    FarSeries<Nodes> out{centre, {}};
    alone ? expand<max_derivatives>(grid, potential, out) : expand<Nodes::series_degree>(grid, potential, out);
    return out;
}

}  // namespace gravlet
