// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass, delta and multipoles of every node, from the deepest level up.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/keys.hpp"
#include "physics/multipole.hpp"
#include "physics/order.hpp"
#include "physics/partition_point.hpp"
#include "physics/softening.hpp"
#include "physics/team.hpp"
#include "physics/walk_rules.hpp"
#include "solver/tree/build.hpp"

#include <cmath>
#include <vector>

namespace gravlet {

/// The centre of the octree cube of side `size`, as nodes have it, that a position lies in.
template <class T>
GRAVLET_HD Vector3 cube_centre(const RootCube& root, const T& at, float size) {
    const double cubes = static_cast<float>(root.side) / size, last = cubes - 1.0;  // in a row: a power of two, exact
    const auto centre = [=](double place) { return (fmax(0.0, fmin(floor(place * cubes), last)) + 0.5) / cubes; };
    const Vector3 place = root.place(at);
    return {root.corner.x + root.side * centre(place.x), root.corner.y + root.side * centre(place.y),
            root.corner.z + root.side * centre(place.z)};
}

/// Moves a centre of mass that rounding has taken across a face of its node's cube back into it, towards `inside`, which is in
/// there: by where it is, nodes belong to pieces of a periodic box, and parts of several ranks to cubes. Only what lies on a face
/// can get there. `centre` is the cube's.
template <class T>
GRAVLET_HD void keep_in_cube(const RootCube& root, const T& inside, const Vector3& centre, Node& node) {
    const double cubes = static_cast<float>(root.side) / node.size, half = 0.5 * root.side / cubes;  // sizes are rounded to float
    const auto keep = [&](int d, double from, double middle, double& to) {
        const double rounding = 0x1p-52 * (1.0 + fabs(middle));
        if (fabs(fabs(to - middle) - half) > 16.0 * rounding) return;
        const double cube = floor(root.place(d, from) * cubes);
        for (int steps = 0; steps < 32 && floor(root.place(d, to) * cubes) != cube; ++steps)
            to = fabs(from - to) > rounding ? to + copysign(rounding, from - to) : from;
    };
    keep(0, inside.x, centre.x, node.x);
    keep(1, inside.y, centre.y, node.y);
    keep(2, inside.z, centre.z, node.z);
}

/// How far from the centre, in node sides, one mass would be that had these moments of degree N. 0 if there are none.
template <int N>
GRAVLET_HD double length_of(const float* moments) {
    constexpr double of_one = static_cast<double>(multipole::odd_factorial(N)) / multipole::factorial(N);
    double sum = 0.0;
    multipole::for_components<N>([&](auto k) GRAVLET_INLINE_LAMBDA {
        const double c = moments[moment_index(k.a, k.b, k.c)];
        constexpr double share = static_cast<double>(multipole::factorials(k.a, k.b, k.c)) / multipole::factorial(N);
        sum += c * c * share;
    });
    const double power = sqrt(sum / of_one);
    return N == 2 ? sqrt(power) : N == 3 ? cbrt(power) : sqrt(sqrt(power));
}

/// How many times as large as its cube a node of these moments counts (acceptance.hpp).
template <int P>
GRAVLET_HD double stretch_of(const float* moments) {
    double stretch = 1.0;
    unrolled<(P > 1 ? P - 1 : 0)>([&](auto degree) GRAVLET_INLINE_LAMBDA {
        constexpr int n = degree.value + 2;
        stretch = fmax(stretch, length_of<n>(moments) / (n == 2 ? 0.3 : 0.36));
    });
    return stretch;
}

// Of what a node is made of.
GRAVLET_HD inline float own_spread(const Source&) { return 0.0f; }
GRAVLET_HD inline float own_spread(const Node& node) { return node.spread; }
GRAVLET_HD inline double own_softening2(const Source& s) { return double{s.softening} * s.softening; }
GRAVLET_HD inline double own_softening2(const Node& node) { return node.softening2; }
GRAVLET_HD inline double own_softening4(const Source& s) { return own_softening2(s) * own_softening2(s); }
GRAVLET_HD inline double own_softening4(const Node& node) { return mean_softening4(node); }
GRAVLET_HD inline float least_softening(const Source& s) { return s.softening; }
GRAVLET_HD inline float least_softening(const Node& node) { return node.least_softening; }
GRAVLET_HD inline float most_softening(const Source& s) { return s.softening; }
GRAVLET_HD inline float most_softening(const Node& node) { return node.most_softening; }

/// Nodes are finished by so many lanes each: there are up to eight children, and about as many sources in a leaf.
inline constexpr std::uint32_t node_team = 8;
template <class Exec>
using NodeTeam = typename Exec::template Team<node_team>;

/// A node's open radius in a solve, before it is widened.
GRAVLET_HD inline float open_radius(const Node& node, const NodeShape& shape, const Opening& opening) {
    return static_cast<float>(opening.radius({node.size, node.mass, shape.stretch, shape.delta, node.spread, extent_of(node)}));
}

/// Fills in everything but the structure and side of `node` from its sources or its children (already finished), and makes it
/// node `i`. `centre` is the geometric centre of its cube.
template <int P, class Team>
GRAVLET_HD void finish_node(const Team& team, Node node, Node* nodes, float* moments, const Source* sources, std::size_t i,
                            const Vector3& centre, const Opening& opening, NodeShape* shapes = nullptr) {
    const std::uint32_t begin = node.first + team.rank(), end = node.first + node.count;  // this lane's: every size-th
    double mass = 0.0, x = 0.0, y = 0.0, z = 0.0, softening2 = 0.0, softening4 = 0.0, spread = 0.0;
    const auto sum = [&](const auto* bodies) {
        // Relative to the first of them, so that the centre of mass has all digits that positions have.
        const auto& first = bodies[node.first];
        node.least_softening = least_softening(first), node.most_softening = most_softening(first);
        for (std::uint32_t k = begin; k < end; k += Team::size) {
            const double m = bodies[k].mass, from[] = {bodies[k].x - first.x, bodies[k].y - first.y, bodies[k].z - first.z};
            mass += m;
            softening2 += m * own_softening2(bodies[k]);
            softening4 += m * own_softening4(bodies[k]);
            node.least_softening = fminf(node.least_softening, least_softening(bodies[k]));
            node.most_softening = fmaxf(node.most_softening, most_softening(bodies[k]));
            spread += m * (0.5 * (from[0] * from[0] + from[1] * from[1] + from[2] * from[2]) + own_spread(bodies[k]));
            x += m * from[0], y += m * from[1], z += m * from[2];
        }
        mass = team.sum(mass), softening2 = team.sum(softening2), softening4 = team.sum(softening4), spread = team.sum(spread);
        node.least_softening = team.least(node.least_softening), node.most_softening = team.most(node.most_softening);
        x = team.sum(x) / mass, y = team.sum(y) / mass, z = team.sum(z) / mass;
        node.x = first.x + x, node.y = first.y + y, node.z = first.z + z;
    };
    if (node.leaf != 0) {
        sum(sources);
    } else {
        sum(nodes);
    }
    node.mass = static_cast<float>(mass);
    node.softening2 = static_cast<float>(softening2 / mass);
    node.mixture = mixture_of(node, softening4 / mass);
    node.spread = static_cast<float>(fmax(spread / mass - 0.5 * (x * x + y * y + z * z), 0.0));
    x = node.x - centre.x, y = node.y - centre.y, z = node.z - centre.z;
    const double delta = sqrt(x * x + y * y + z * z);
    float own[moment_count(P) + 1] = {};
    if constexpr (P >= 2) {
        MomentSums<P> total;
        for (std::uint32_t k = begin; k < end; k += Team::size) {
            if (node.leaf != 0) {
                const Source& s = sources[k];
                total.add_mass(s.mass, {s.x - node.x, s.y - node.y, s.z - node.z});
            } else {
                const Node& child = nodes[k];
                total.add_node(child.mass, moments + k * std::size_t{moment_count(P)}, child.size,
                               {child.x - node.x, child.y - node.y, child.z - node.z});
            }
        }
        total.gather(team);
        total.store(own, mass, node.size);
    }
    if (opening.extents() > 0.0f) {
        double extent = 0.0;
        const auto reach = [&](const auto& body) {
            const double px = body.x - node.x, py = body.y - node.y, pz = body.z - node.z;
            extent = fmax(extent, sqrt(px * px + py * py + pz * pz) + extent_of(body));
        };
        for (std::uint32_t k = begin; k < end; k += Team::size) node.leaf != 0 ? reach(sources[k]) : reach(nodes[k]);
        set_extent(node, fmin(team.most(extent), 0.5 * cube_diagonal * node.size + delta));
    }
    const NodeShape shape{static_cast<float>(stretch_of<P>(own)), static_cast<float>(delta)};
    node.open_radius = open_radius(node, shape, opening);
    team.join();
    if (team.rank() != 0) return;
    if (shapes != nullptr) shapes[i] = shape;
    for (std::size_t m = 0; m < std::size_t{moment_count(P)}; ++m) moments[i * moment_count(P) + m] = own[m];
    nodes[i] = node;
}

/// The first source of a node: the tight cube of an inner node is that of any source below it, and so of its first descendant's.
GRAVLET_HD inline std::uint32_t first_source(const Node* nodes, std::size_t i) {
    while (nodes[i].leaf == 0) i = nodes[i].first;
    return nodes[i].first;
}

/// What compute_moments() does for node i.
template <int P>
struct FinishNode {
    const Source* sources;
    RootCube root;
    Opening opening;
    Node* nodes;
    float* moments;
    NodeShape* shapes;

    template <class Team>
    GRAVLET_HD void operator()(std::size_t i, const Team& team) const {
        const Node node = nodes[i];
        const Source& inside = sources[first_source(nodes, i)];
        const Vector3 centre = cube_centre(root, inside, node.size);
        finish_node<P>(team, node, nodes, moments, sources, i, centre, opening, shapes);
        if (team.rank() == 0) keep_in_cube(root, inside, centre, nodes[i]);
    }
};

/// Finishes the i-th node of a list.
template <int P>
struct FinishListed {
    FinishNode<P> finish;
    const node_index* list;

    template <class Team>
    GRAVLET_HD void operator()(std::size_t i, const Team& team) const {
        finish(list[i], team);
    }
};

/// Finds out of node i whether a source of it has a mark; if none has, all of it stands but for its radius.
struct MarkNode {
    const std::uint8_t* marks;  ///< marks of the sorted bodies
    const cell_index* target;   ///< the sorted body that each source is; null: of the same number
    Opening opening;
    Node* nodes;
    const NodeShape* shapes;
    std::uint8_t* marked;

    template <class Team>
    GRAVLET_HD void operator()(std::size_t i, const Team& team) const {
        Node& node = nodes[i];
        const std::uint32_t end = node.first + node.count;
        std::uint32_t any = 0;
        for (std::uint32_t k = node.first + team.rank(); k < end; k += Team::size)
            any |= node.leaf == 0 ? marked[k] : marks[target != nullptr ? target[k] : k];
        any = team.most(any);
        if (team.rank() != 0) return;
        marked[i] = any != 0 ? 1 : 0;
        if (any == 0) node.open_radius = open_radius(node, shapes[i], opening);
    }
};

template <class Exec>
void compute_moments(const Exec& exec, int order, const Source* sources, const RootCube& root, const Opening& opening,
                     Tree<Exec>& tree) {
    tree.moments.resize_discard(tree.count() * static_cast<std::size_t>(moment_count(order)));
    tree.shapes.resize_discard(tree.count());
    with_order(order, [&](auto p) {
        const FinishNode<decltype(p)::value> finish{sources,           root, opening, tree.nodes.data(), tree.moments.data(),
                                                    tree.shapes.data()};
        for_levels_up<node_team>(exec, tree.levels, finish);
    });
}

/// Finds anew, of a tree that has its moments, the open radii of all nodes, before they are widened.
template <class Exec>
void renew_radii(const Exec& exec, const Opening& opening, Tree<Exec>& tree) {
    Node* const nodes = tree.nodes.data();
    const NodeShape* const shapes = tree.shapes.data();
    for_each(exec, tree.count(),
             [=] GRAVLET_HD(std::size_t i) { nodes[i].open_radius = open_radius(nodes[i], shapes[i], opening); });
}

/// Local. The numbers of the nodes with a mark, and where in their list each of the tree's levels begins.
template <class Exec>
std::vector<node_index> list_marked(const Exec& exec, const std::vector<node_index>& levels, const std::uint8_t* marked,
                                    typename Exec::template Buffer<node_index>& list) {
    const std::size_t ends = levels.size();
    auto begins = exec.template buffer<node_index>();
    list.resize_discard(levels.back()), begins.resize_discard(2 * ends);
    node_index *const nodes = list.data(), *const level = begins.data(), *const begin = level + ends;
    const std::size_t count = select_indices(exec, levels.back(), nodes, [=] GRAVLET_HD(node_index i) { return marked[i] != 0; });
    copy_in(exec, levels.data(), level, ends);
    for_each(exec, ends, [=] GRAVLET_HD(std::size_t l) {
        begin[l] =
            static_cast<node_index>(partition_point(std::size_t{0}, count, [=](std::size_t k) { return nodes[k] < level[l]; }));
    });
    std::vector<node_index> out(ends);
    copy_out(exec, begin, out.data(), ends);
    return out;
}

/// What compute_moments() would find, of a tree whose moments it found before: since then sorted bodies with a mark have got
/// other masses, and all nodes perhaps other radii.
template <class Exec>
void update_moments(const Exec& exec, int order, const std::uint8_t* marks, const cell_index* target, const Source* sources,
                    const RootCube& root, const Opening& opening, Tree<Exec>& tree) {
    if (tree.count() == 0) return;
    auto marked = exec.template buffer<std::uint8_t>();
    auto list = exec.template buffer<node_index>();
    marked.resize_discard(tree.count());
    for_levels_up<node_team>(exec, tree.levels,
                             MarkNode{marks, target, opening, tree.nodes.data(), tree.shapes.data(), marked.data()});
    const std::vector<node_index> levels = list_marked(exec, tree.levels, marked.data(), list);
    const node_index* const nodes = list.data();
    with_order(order, [&](auto p) {
        const FinishNode<decltype(p)::value> finish{sources,           root, opening, tree.nodes.data(), tree.moments.data(),
                                                    tree.shapes.data()};
        for_levels_up<node_team>(exec, levels, FinishListed<decltype(p)::value>{finish, nodes});
    });
}

}  // namespace gravlet
