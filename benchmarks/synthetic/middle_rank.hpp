// SPDX-License-Identifier: Apache-2.0
// A rank among more ranks than there is hardware for: its cells, a cube of a uniform mesh, are in the middle of a box full of its
// likes. Every remote rank is a copy of it, moved; so what they would send is what it would send them, moved back. What MPI takes
// is not in it.
#pragma once

#include "benchmarks/synthetic/rank_tree.hpp"
#include "benchmarks/synthetic/synthetic_run.hpp"
#include "physics/order.hpp"
#include "solver/essential/complete.hpp"
#include "solver/essential/essential.hpp"
#include "solver/essential/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace gravlet::bench {

/// Seconds until all that f() asks of a backend is done.
template <class Exec, class F>
double seconds(const Exec& exec, const F& f) {
    exec.synchronize();
    const auto begin = std::chrono::steady_clock::now();
    f();
    exec.synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Where the ranks are: a cube of them, as full as there are ranks; this one is in the middle.
struct Neighbourhood {
    long ranks, along;
    double width;  ///< side of a rank's cube, in units of the root cube's: cells are a power of two of it

    Neighbourhood(long n, int side) : ranks(n), along(static_cast<long>(std::ceil(std::cbrt(static_cast<double>(n)) - 1e-9))) {
        const std::uint64_t cells = std::bit_ceil(static_cast<std::uint64_t>(along * side));
        width = static_cast<double>(side) / static_cast<double>(cells);
    }
    [[nodiscard]] long middle() const { return (along / 2 * along + along / 2) * along + along / 2; }
    [[nodiscard]] Vector3 corner(long rank) const {
        const auto at = [&](long i) { return static_cast<double>(i) * width; };
        return {at(rank % along), at(rank / along % along), at(rank / (along * along))};
    }
    /// Where another rank's cube is, seen from this one's.
    [[nodiscard]] Vector3 displacement(long rank) const {
        const Vector3 a = corner(rank), b = corner(middle());
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    /// The rank on the other side of this one, as far away.
    [[nodiscard]] long opposite(long rank) const { return 2 * middle() - rank; }
};

template <class T>
T moved(T at, const Vector3& by) {
    at.x += by.x, at.y += by.y, at.z += by.z;
    return at;
}

inline TargetBox moved(const TargetBox& box, const Vector3& by) {
    return {{moved(box.box.lower, by), moved(box.box.upper, by)}, box.softening, box.factor};
}

/// The rank in the middle, with its tree. Its buffers are kept, as a solver's are.
template <class Exec>
class MiddleRank {
public:
    MiddleRank(const Settings& settings, long ranks, typename Exec::Machine& machine)
        : exec_(machine.exec()), near_(ranks, settings.side), rank_(static_cast<int>(near_.middle())) {
        options_.theta = settings.theta;
        options_.order = order;
        options_.criterion = Criterion::opening;
        options_.virtual_root_boxes = settings.boxes;
        frame_.cells = frame_.several_ranks = true;
        frame_.extent = near_.width * static_cast<double>(near_.along);
        frame_.total_mass = static_cast<double>(ranks);
        const CellArrays cells = make_cells(settings.side);
        const Input given = make_input({cells.x, cells.y, cells.z, cells.dx, {}, {}, cells.mass}, {}, {}, {});
        const Input input = transfer_.bring_in(given);
        make_rank_tree(exec_, input, frame_, options_, bodies_, tree_);
        own_bytes_ = exec_.tally->peak();
        mine_ = make_virtual_root<order>(exec_, bodies_, tree_, frame_.cube, opening_of(options_, frame_),
                                         static_cast<std::size_t>(settings.boxes));
        roots_.stride = mine_.boxes.size();
        for (long rank = 0; rank < ranks; ++rank) {
            VirtualRoot& root = roots_.all.emplace_back(mine_.root);
            root.root.node = moved(root.root.node, near_.displacement(rank));
            root.box = moved(root.box, near_.displacement(rank));
        }
        Opening here = opening_of(options_, frame_);
        here.around = pull_of_others(roots_.all, static_cast<std::size_t>(rank_));
        widen(exec_, here, tree_.levels, tree_.nodes.data(), tree_.pulls);
    }

    Run solve() {
        Run run;
        const typename Exec::Scope scope(exec_);
        run.roots = seconds(exec_, [&] { find_near(rank_, roots_); });
        run.near = roots_.audience.size();
        roots_.boxes.clear();
        for (const int other : roots_.audience)
            for (const TargetBox& box : mine_.boxes) roots_.boxes.push_back(moved(box, near_.displacement(other)));
        run.root_bytes = roots_.all.size() * sizeof(VirtualRoot) + roots_.boxes.size() * sizeof(TargetBox) +
                         (roots_.audience.size() + roots_.senders.size()) * sizeof(int);
        run.essential = seconds(exec_, [&] {
            essential_.run(view_of(bodies_, tree_), moments, roots_.nodes_of(rank_), roots_.targets(), roots_.audience.size(),
                           send_);
        });
        const PrunedTreeArrays arrived = arrive();
        run.imported_nodes = arrived.node_count();
        run.imported_cells = arrived.source_count();
        TreeView whole;
        run.complete = seconds(exec_, [&] {
            completion_.take_in(order, roots_, rank_, bodies_, tree_);
            whole = completion_.merge(true, bodies_, frame_, options_, tree_);
        });
        run.bytes = exec_.tally->peak() - own_bytes_;
        const double mass = read(exec_, whole.nodes + whole.root).mass, ranks = static_cast<double>(near_.ranks);
        if (std::abs(mass / ranks - 1.0) > 1e-4)
            throw std::runtime_error(fmt::format("the completed tree has a mass of {}, not {}", mass, ranks));
        return run;
    }

private:
    struct CellArrays {
        std::vector<double> x, y, z, dx, mass;
    };

    [[nodiscard]] CellArrays make_cells(int side) const {
        CellArrays cells;
        const double width = near_.width / side;
        const Vector3 corner = near_.corner(rank_);
        for (int k = 0; k < side; ++k)
            for (int j = 0; j < side; ++j)
                for (int i = 0; i < side; ++i) {
                    cells.x.push_back(corner.x + (i + 0.5) * width);
                    cells.y.push_back(corner.y + (j + 0.5) * width);
                    cells.z.push_back(corner.z + (k + 0.5) * width);
                    cells.dx.push_back(width);
                    cells.mass.push_back(1.0 / (static_cast<double>(side) * side * side));
                }
        return cells;
    }

    /// What the senders would have sent.
    PrunedTreeArrays arrive() {
        std::vector<Announcement> announced;
        for (const int sender : roots_.senders) {
            const auto at = std::ranges::lower_bound(roots_.audience, static_cast<int>(near_.opposite(sender)));
            if (at == roots_.audience.end() || *at != near_.opposite(sender))
                throw std::runtime_error(
                    fmt::format("{} ranks: rank {} is near, and none is as far on the other side; an odd "
                                "number along each axis (27, 125, 343) has one, and so have thousands",
                                near_.ranks, sender));
            const std::size_t k = static_cast<std::size_t>(at - roots_.audience.begin());
            announced.push_back({send_.node_begin[k + 1] - send_.node_begin[k], send_.source_begin[k + 1] - send_.source_begin[k],
                                 send_.node_begin[k], send_.source_begin[k], 0, 0});
        }
        const PrunedTreeArrays to = completion_.make_room(announced, roots_, rank_, moments, bodies_, tree_);
        const std::vector<Node> nodes = moved_back(send_.nodes, announced, &Announcement::first_node, &Announcement::nodes);
        const std::vector<Source> sources =
            moved_back(send_.sources, announced, &Announcement::first_source, &Announcement::sources);
        copy_in(exec_, nodes.data(), to.nodes, nodes.size());
        copy_in(exec_, sources.data(), to.sources, sources.size());
        const std::vector<float> sent = on_host(send_.moments);
        std::vector<float> moments_there;
        for (const Announcement& from : announced) {
            const auto first = sent.begin() + static_cast<std::ptrdiff_t>(from.first_node * moments);
            moments_there.insert(moments_there.end(), first, first + static_cast<std::ptrdiff_t>(from.nodes * moments));
        }
        copy_in(exec_, moments_there.data(), to.moments, moments_there.size());
        return to;
    }

    template <class T>
    [[nodiscard]] std::vector<T> on_host(const typename Exec::template Buffer<T>& buffer) const {
        std::vector<T> out(buffer.size());
        copy_out(exec_, buffer.data(), out.data(), out.size());
        return out;
    }
    /// What the senders would have sent of one array, one behind the other.
    template <class T, class Count>
    [[nodiscard]] std::vector<T> moved_back(const typename Exec::template Buffer<T>& buffer,
                                            const std::vector<Announcement>& announced, Count Announcement::*first,
                                            Count Announcement::*count) const {
        const std::vector<T> sent = on_host(buffer);
        std::vector<T> out;
        for (std::size_t k = 0; k < announced.size(); ++k)
            for (std::size_t i = 0; i < announced[k].*count; ++i)
                out.push_back(moved(sent[announced[k].*first + i], near_.displacement(roots_.senders[k])));
        return out;
    }

    static constexpr std::size_t moments = moment_count(order);
    Exec exec_;
    Neighbourhood near_;
    int rank_;
    Options options_;
    Frame frame_;
    typename Exec::Transfer transfer_{exec_};
    Bodies<Exec> bodies_{exec_};
    Tree<Exec> tree_{exec_};
    OwnVirtualRoot mine_;
    VirtualRoots roots_;
    EssentialWalk<Exec> essential_{exec_};
    PrunedTrees<Exec> send_{exec_};
    TreeCompletion<Exec> completion_{exec_};
    std::size_t own_bytes_ = 0;
};

/// The runs of so many ranks, on one backend.
template <class Exec>
std::vector<Run> measure(const Settings& settings, long ranks, typename Exec::Machine& machine) {
    MiddleRank<Exec> rank(settings, ranks, machine);
    rank.solve();  // takes the memory
    std::vector<Run> runs;
    for (int i = 0; i < settings.repeats; ++i) runs.push_back(rank.solve());
    return runs;
}

}  // namespace gravlet::bench
