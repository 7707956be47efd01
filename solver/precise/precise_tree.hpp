// SPDX-License-Identifier: Apache-2.0
// What a solve in double has beside its tree (precision: double): full moments of the nodes, masses and softening lengths of the
// sources as the caller gave them, and, of the complete tree, the polynomials by which nodes act. Structure and acceptance are
// those of any solve.
//   1. measure_bodies(), measure(): of this rank's own tree.
//   2. They travel with the nodes and sources of pruned trees (PreciseArrays).
//   3. complete(): of merged nodes; then all nodes are expanded.
#pragma once

#include "physics/parts.hpp"
#include "physics/precise/exact_source.hpp"
#include "physics/precise/full_moments.hpp"
#include "physics/team.hpp"
#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"

#include <cstddef>
#include <vector>

namespace gravlet {

GRAVLET_HD inline double unmarked(float softening) { return softening >= 2.0f * point_mark ? double{softening} : 0.0; }

/// Full moments of node i, from its sources or its children's, by a team.
template <int P>
struct FindFullMoments {
    Node* nodes;
    double* moments;
    const Source* sources;
    const ExactSource* exact;
    bool softened;  ///< softened by Plummer's kernel

    template <class Team>
    GRAVLET_HD void operator()(std::size_t i, const Team& team) const {
        constexpr std::size_t numbers = full_moment_count(P);
        const Node node = nodes[i];
        FullMoments<P> total;
        double softening2 = 0.0;
        for (std::uint32_t k = node.first + team.rank(); k < node.first + node.count; k += Team::size) {
            if (node.leaf != 0) {
                const Source& s = sources[k];
                total.add_mass(exact[k].mass, {s.x - node.x, s.y - node.y, s.z - node.z});
                softening2 += exact[k].mass * exact[k].softening * exact[k].softening;
            } else {
                const Node& child = nodes[k];
                const double* const terms = moments + k * numbers;
                total.add_terms(terms, {child.x - node.x, child.y - node.y, child.z - node.z});
                softening2 += terms[0] * terms[numbers - 1];
            }
        }
        total.gather(team);
        softening2 = team.sum(softening2);
        team.join();
        if (team.rank() != 0) return;
        for (std::size_t k = 0; k + 1 < numbers; ++k) moments[i * numbers + k] = total[static_cast<int>(k)];
        moments[i * numbers + numbers - 1] = softening2 / total[0];
        if (softened && unmarked(node.least_softening) != unmarked(node.most_softening)) nodes[i].open_radius = never_accepted;
    }

    /// Pairs with a node's sources must all be softened alike, or its moments would not tell: one of several lengths is opened.
    static constexpr float never_accepted = 1e9f;
};

template <class Exec>
class PreciseTree {
public:
    explicit PreciseTree(const Exec& exec)
        : exec_(exec),
          moments_(exec.template buffer<double>()),
          expansions_(exec.template buffer<double>()),
          sources_(exec.template buffer<ExactSource>()),
          bodies_(exec.template buffer<ExactSource>()) {}

    /// Local. Step 1. `input` is in the backend's memory, and the bodies are sorted.
    void measure_bodies(const GivenBodies& input, const Frame& frame, const Bodies<Exec>& bodies);
    /// Local. Step 1, of the tree's own nodes, which are finished but for this.
    void measure(int order, const std::vector<node_index>& levels, Node* nodes, const Source* sources);

    /// The arrays of this rank's own tree.
    [[nodiscard]] PreciseArrays own() { return {moments_.data(), sources_.data(), per_node(), cheap_precise_leaf(order_)}; }
    /// The arrays behind so many nodes and sources of this rank's own, with room for others.
    [[nodiscard]] PreciseArrays arriving(std::size_t own_nodes, std::size_t nodes, std::size_t own_sources, std::size_t sources) {
        moments_.resize((own_nodes + nodes) * per_node());
        sources_.resize(own_sources + sources);
        return {moments_.data() + own_nodes * per_node(), sources_.data() + own_sources, per_node()};
    }

    /// Local. Step 3. Of `count` nodes those in levels are new, from the first level's first on, and copies of the nodes that
    /// `origins` says.
    void complete(Node* nodes, std::size_t count, const Source* sources, const std::vector<std::size_t>& levels,
                  const node_index* origins);

    [[nodiscard]] PreciseView view() const { return {expansions_.data(), sources_.data(), bodies_.data(), order_, softened_}; }
    /// Exact values of all sources, those that have arrived among them.
    [[nodiscard]] const ExactSource* sources() const { return sources_.data(); }
    /// Exact values of all sorted bodies.
    [[nodiscard]] const ExactSource* bodies() const { return bodies_.data(); }

    // The parts of complete(); public because CUDA's extended lambdas may not be in private functions.

    template <int P>
    void finish_new(const FindFullMoments<P>& find, const std::vector<std::size_t>& levels, const node_index* origins);
    template <int P>
    void expand_all(std::size_t count);
    void measure_places(const Bodies<Exec>& bodies);

private:
    using Team = typename Exec::template Team<8>;
    [[nodiscard]] std::size_t per_node() const { return static_cast<std::size_t>(full_moment_count(order_)); }

    Exec exec_;
    int order_ = 2;
    bool softened_ = false;
    typename Exec::template Buffer<double> moments_, expansions_;
    typename Exec::template Buffer<ExactSource> sources_, bodies_;
};

template <class Exec>
void PreciseTree<Exec>::measure_bodies(const GivenBodies& input, const Frame& frame, const Bodies<Exec>& bodies) {
    softened_ = frame.softening > 0.0 && frame.softening_kernel == SofteningKernel::plummer;
    bodies_.resize_discard(bodies.count);
    sources_.resize_discard(bodies.source_count);
    ExactSource *const all = bodies_.data(), *const sources = sources_.data();
    const cell_index *const order = bodies.order.data(), *const target =
                                                             bodies.all_massive() ? nullptr : bodies.source_target.data();
    const double per_unit = frame.per_unit, per_mass_unit = frame.per_mass_unit, heavy_mass = frame.heavy_mass;
    for_each(exec_, bodies.count, [=] GRAVLET_HD(std::size_t i) {
        const Body body = input.body(order[i]);
        const bool heavy = input.is_point(order[i]) && body.mass >= heavy_mass;  // as to_source() has it
        all[i] = {heavy ? 0.0 : body.mass * per_mass_unit, body.softening * per_unit};
    });
    if (bodies.has_places()) return measure_places(bodies);
    for_each(exec_, bodies.source_count, [=] GRAVLET_HD(std::size_t s) { sources[s] = all[target != nullptr ? target[s] : s]; });
}

/// Sources of several bodies, after these.
template <class Exec>
void PreciseTree<Exec>::measure_places(const Bodies<Exec>& bodies) {
    using Place = typename Exec::template Team<32>;
    const ExactSource* const all = bodies_.data();
    ExactSource* const sources = sources_.data();
    const cell_index *const first = bodies.place_begin.data(), *const count = bodies.place_count.data();
    for_each_team<32>(exec_, bodies.source_count, [=] GRAVLET_HD(std::size_t s, const Place& team) {
        double mass = 0.0;
        for (std::size_t i = team.rank(); i < count[s]; i += team.size) mass += all[first[s] + i].mass;
        mass = team.sum(mass);
        if (team.rank() == 0) sources[s] = {mass, all[first[s]].softening};
    });
}

template <class Exec>
void PreciseTree<Exec>::measure(int order, const std::vector<node_index>& levels, Node* nodes, const Source* sources) {
    order_ = full_order(order);
    moments_.resize_discard(levels.back() * per_node());
    with_full_order(order_, [&](auto p) {
        const FindFullMoments<decltype(p)::value> find{nodes, moments_.data(), sources, sources_.data(), softened_};
        for_levels_up<8>(exec_, levels, find);
    });
}

template <class Exec>
void PreciseTree<Exec>::complete(Node* nodes, std::size_t count, const Source* sources, const std::vector<std::size_t>& levels,
                                 const node_index* origins) {
    moments_.resize(count * per_node());
    expansions_.resize_discard(count * static_cast<std::size_t>(expansion_count(order_, softened_)));
    with_full_order(order_, [&](auto p) {
        constexpr int P = decltype(p)::value;
        const FindFullMoments<P> find{nodes, moments_.data(), sources, sources_.data(), softened_};
        this->template finish_new<P>(find, levels, origins);
        this->template expand_all<P>(count);
    });
}

template <class Exec>
template <int P>
void PreciseTree<Exec>::finish_new(const FindFullMoments<P>& find, const std::vector<std::size_t>& levels,
                                   const node_index* origins) {
    constexpr std::size_t numbers = full_moment_count(P);
    double* const moments = moments_.data();
    const std::size_t first = levels.front();
    for (std::size_t level = levels.size() - 1; level-- > 0;) {
        const std::size_t begin = levels[level];
        for_each_team<8>(exec_, levels[level + 1] - begin, [=] GRAVLET_HD(std::size_t k, const Team& team) {
            const node_index origin = origins[begin + k - first];
            if (origin == no_origin) return find(begin + k, team);
            for (std::size_t m = team.rank(); m < numbers; m += Team::size)
                moments[(begin + k) * numbers + m] = moments[origin * numbers + m];
        });
    }
}

template <class Exec>
template <int P>
void PreciseTree<Exec>::expand_all(std::size_t count) {
    constexpr std::size_t numbers = full_moment_count(P);
    const double* const moments = moments_.data();
    double* const expansions = expansions_.data();
    const bool softened = softened_;
    const std::size_t terms = static_cast<std::size_t>(expansion_count(P, softened));
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t i) {
        expand<P>(moments + i * numbers, softened, expansions + i * terms);
        expansions[i * terms + terms - 1] = moments[i * numbers + numbers - 1];
    });
}

}  // namespace gravlet
