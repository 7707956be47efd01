// SPDX-License-Identifier: Apache-2.0
// All ranks of a Plummer sphere in one process, of few points each, dealt out along the curve: who is near to whom, by their
// virtual roots, and what those that very many are near to tell all at once (solver/essential/published.hpp).
#pragma once

#include "benchmarks/synthetic/rank_tree.hpp"
#include "benchmarks/synthetic/synthetic_run.hpp"
#include "physics/keys.hpp"
#include "solver/criterion/widen.hpp"
#include "solver/essential/published.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace gravlet::bench {

struct NearRanks {
    double mean = 0.0;     ///< mean over the ranks of how many are near
    std::size_t most = 0;  ///< ranks near to the one that most are near to

    void add(std::size_t near, std::size_t ranks) {
        mean += static_cast<double>(near) / static_cast<double>(ranks);
        most = std::max(most, near);
    }
};

struct SphereRun {
    NearRanks before, after;       ///< ranks near by the roots alone; after what all are told
    std::size_t tellers = 0;       ///< ranks that tell all more than their root
    std::size_t nodes = 0;         ///< nodes that all of these tell together
    std::size_t sources = 0;       ///< sources likewise
    std::size_t bytes_told = 0;    ///< bytes of both
    double longest_telling = 0.0;  ///< seconds that a rank took to find what it tells, at most
};

template <class Exec>
class SphereRanks {
public:
    SphereRanks(const Settings& settings, long ranks, typename Exec::Machine& machine) : exec_(machine.exec()) {
        options_.theta = settings.theta;
        options_.order = order;
        options_.criterion = Criterion::opening;
        frame_.points = frame_.several_ranks = true;
        frame_.extent = frame_.total_mass = 1.0;
        roots_.distance = distance_of(options_, frame_);
        const std::vector<Vector3> points = sphere(static_cast<std::size_t>(ranks * settings.points));
        const std::size_t each = static_cast<std::size_t>(settings.points);
        for (std::size_t begin = 0; begin < points.size(); begin += each) {
            trees_.push_back(std::make_unique<OneRank>(*this, points, begin, each));
            roots_.all.push_back(trees_.back()->root);
        }
        bound_ranges(roots_);
        for (std::size_t rank = 0; rank < trees_.size(); ++rank) {
            Opening here = opening_of(options_, frame_);
            here.around = pull_of_others(roots_.all, rank);
            Tree<Exec>& tree = trees_[rank]->tree;
            widen(exec_, here, tree.levels, tree.nodes.data(), tree.pulls);
        }
    }

    SphereRun run() const {
        SphereRun out;
        const std::size_t ranks = trees_.size();
        for (std::size_t r = 0; r < ranks; ++r) {
            const int rank = static_cast<int>(r);
            const std::span<const FarNode> root(&roots_.all[r].root, 1);
            const std::size_t before = roots_.near_to(root, rank, ranks).size();
            const auto begin = std::chrono::steady_clock::now();
            const RootParts told = published<order>(exec_, trees_[r]->tree, trees_[r]->bodies.sources(), {}, root, roots_, rank);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            out.longest_telling = std::max(out.longest_telling, took.count());
            out.before.add(before, ranks);
            out.after.add(told.nodes.empty() ? before : roots_.near_to(told.nodes, rank, ranks).size(), ranks);
            out.tellers += told.nodes.empty() ? 0 : 1;
            out.nodes += told.nodes.size(), out.sources += told.sources.size();
        }
        out.bytes_told = out.nodes * sizeof(FarNode) + out.sources * sizeof(Source);
        return out;
    }

private:
    struct OneRank {
        OneRank(const SphereRanks& all, const std::vector<Vector3>& points, std::size_t begin, std::size_t count)
            : bodies(all.exec_), tree(all.exec_) {
            std::vector<double> x, y, z;
            for (std::size_t i = begin; i < begin + count; ++i)
                x.push_back(points[i].x), y.push_back(points[i].y), z.push_back(points[i].z);
            const std::vector<double> mass(count, 1.0 / static_cast<double>(points.size()));
            typename Exec::Transfer transfer(all.exec_);
            Input given;
            given.points = {x, y, z, mass, {}, {}};
            given.point_count = count;
            Input input = transfer.bring_in(given);
            input.caller = &given;
            make_rank_tree(all.exec_, input, all.frame_, all.options_, bodies, tree);
            root =
                make_virtual_root<order>(all.exec_, bodies, tree, all.frame_.cube, opening_of(all.options_, all.frame_), 1).root;
        }
        Bodies<Exec> bodies;
        Tree<Exec> tree;
        VirtualRoot root{};
    };

    /// Points in the unit cube along the curve; the farthest is at its face.
    [[nodiscard]] std::vector<Vector3> sphere(std::size_t count) const {
        std::mt19937_64 random(1);
        std::uniform_real_distribution<double> uniform;
        std::vector<Vector3> points(count);
        double farthest = 0.0;
        for (Vector3& at : points) {
            const double r = 1.0 / std::sqrt(std::pow(1.0 - uniform(random), -2.0 / 3.0) - 1.0);
            const double z = 2.0 * uniform(random) - 1.0, angle = 2.0 * std::numbers::pi * uniform(random),
                         across = std::sqrt(1.0 - z * z);
            at = {r * across * std::cos(angle), r * across * std::sin(angle), r * z};
            farthest = std::max(farthest, r);
        }
        std::vector<std::pair<key_type, Vector3>> order_of;
        for (const Vector3& at : points) {
            const auto scaled = [&](double along) { return 0.5 + 0.499 * along / farthest; };
            const Vector3 in_cube{scaled(at.x), scaled(at.y), scaled(at.z)};
            order_of.emplace_back(hilbert_key(frame_.cube.place(in_cube)), in_cube);
        }
        std::ranges::sort(order_of, {}, [](const auto& one) { return one.first; });
        std::ranges::transform(order_of, points.begin(), [](const auto& one) { return one.second; });
        return points;
    }

    Exec exec_;
    Options options_;
    Frame frame_;
    VirtualRoots roots_;
    std::vector<std::unique_ptr<OneRank>> trees_;
};

}  // namespace gravlet::bench
