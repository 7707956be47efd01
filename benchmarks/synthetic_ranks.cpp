// SPDX-License-Identifier: Apache-2.0
// gravlet_synthetic_ranks: what a rank does for its neighbours, and what it keeps of all, among more ranks than there is hardware
// for. One rank's cells, a cube of a uniform mesh, are in the middle of a box full of its likes: every remote rank is a copy of
// it, moved. So what they would send is what it would send them, moved back. One thread; what MPI takes is not in it.
#include "cpu/cpu.hpp"
#include "physics/order.hpp"
#include "solver/essential/complete.hpp"
#include "solver/essential/essential.hpp"
#include "solver/essential/roots.hpp"
#include "solver/order/sort.hpp"
#include "solver/order/targets.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

namespace gravlet::bench {
namespace {

struct Settings {
    int side = 100;  ///< cells along a rank's cube
    int boxes = Options{}.virtual_root_boxes;
    double theta = 0.8;
    std::vector<long> ranks{1000, 10000, 100000};
    int repeats = 5;
    std::string json;
};

constexpr int order = 2;

template <class F>
double seconds(const F& f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
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

TargetBox moved(const TargetBox& box, const Vector3& by) {
    return {{moved(box.box.lower, by), moved(box.box.upper, by)}, box.softening, box.factor};
}

struct Run {
    std::size_t near = 0, imported_nodes = 0, imported_cells = 0;
    double roots = 0.0, essential = 0.0, complete = 0.0;
    std::size_t root_bytes = 0;  ///< host memory for the table of all virtual roots
    std::size_t bytes = 0;       ///< memory for all else: what is sent, what arrives, the completed tree
};

/// The rank in the middle, with its tree. Its buffers are kept, as a solver's are.
class MiddleRank {
public:
    MiddleRank(const Settings& settings, long ranks) : near_(ranks, settings.side), rank_(static_cast<int>(near_.middle())) {
        options_.theta = settings.theta;
        options_.order = order;
        options_.criterion = Criterion::opening;
        options_.virtual_root_boxes = settings.boxes;
        frame_.cells = frame_.several_ranks = true;
        frame_.extent = near_.width * static_cast<double>(near_.along);
        frame_.total_mass = static_cast<double>(ranks);
        const CellArrays cells = make_cells(settings.side);
        const Input input = make_input({cells.x, cells.y, cells.z, cells.dx, {}, {}, cells.mass}, {}, {}, {});
        sort(exec_, input, frame_, options_, bodies_);
        build_tree(exec_, bodies_.keys_of_sources(), static_cast<std::uint32_t>(bodies_.source_count),
                   static_cast<std::uint32_t>(options_.leaf_size), 0, static_cast<float>(frame_.cube.side), true, tree_);
        compute_moments(exec_, order, bodies_.sources(), frame_.cube, opening_of(options_, frame_), tree_);
        choose_targets(exec_, input, false, bodies_);
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
        const Cpu::Scope scope(exec_);
        run.roots = seconds([&] { find_near(rank_, roots_); });
        run.near = roots_.audience.size();
        roots_.boxes.clear();
        for (const int other : roots_.audience)
            for (const TargetBox& box : mine_.boxes) roots_.boxes.push_back(moved(box, near_.displacement(other)));
        run.root_bytes = roots_.all.size() * sizeof(VirtualRoot) + roots_.boxes.size() * sizeof(TargetBox) +
                         (roots_.audience.size() + roots_.senders.size()) * sizeof(int);
        run.essential = seconds([&] {
            essential_.run(view_of(bodies_, tree_), moments, roots_.nodes_of(rank_), roots_.targets(), roots_.audience.size(),
                           send_);
        });
        const PrunedTreeArrays arrived = arrive();
        run.imported_nodes = arrived.node_count();
        run.imported_cells = arrived.source_count();
        TreeView whole;
        run.complete = seconds([&] {
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
            const std::size_t k = static_cast<std::size_t>(at - roots_.audience.begin());
            announced.push_back({send_.node_begin[k + 1] - send_.node_begin[k], send_.source_begin[k + 1] - send_.source_begin[k],
                                 send_.node_begin[k], send_.source_begin[k], 0, 0});
        }
        const PrunedTreeArrays to = completion_.make_room(announced, moments, bodies_, tree_);
        for (std::size_t k = 0; k < announced.size(); ++k) {
            const Announcement& from = announced[k];
            const Vector3 by = near_.displacement(roots_.senders[k]);
            const auto move = [&](const auto& element) { return moved(element, by); };
            const Node* const nodes = send_.nodes.data() + from.first_node;
            const Source* const sources = send_.sources.data() + from.first_source;
            std::transform(nodes, nodes + from.nodes, to.nodes + to.node_begin[k], move);
            std::transform(sources, sources + from.sources, to.sources + to.source_begin[k], move);
            std::copy_n(send_.moments.data() + from.first_node * moments, from.nodes * moments,
                        to.moments + to.node_begin[k] * moments);
        }
        return to;
    }

    static constexpr std::size_t moments = moment_count(order);
    Neighbourhood near_;
    int rank_;
    Cpu::Machine machine_{1};
    Cpu exec_ = machine_.exec();
    Options options_;
    Frame frame_;
    Bodies<Cpu> bodies_{exec_};
    Tree<Cpu> tree_{exec_};
    OwnVirtualRoot mine_;
    VirtualRoots roots_;
    EssentialWalk<Cpu> essential_{exec_};
    PrunedTrees<Cpu> send_{exec_};
    TreeCompletion<Cpu> completion_{exec_};
    std::size_t own_bytes_ = 0;
};

double median(std::vector<Run> runs, double Run::*seconds) {
    std::ranges::sort(runs, {}, seconds);
    return runs[runs.size() / 2].*seconds;
}

int main_of(int argc, char** argv) {
    Settings settings;
    CLI::App app{"What one rank does for its neighbours among many ranks, without them"};
    app.add_option("--side", settings.side, "cells along a rank's cube")->capture_default_str();
    app.add_option("--boxes", settings.boxes, "virtual_root_boxes")->capture_default_str();
    app.add_option("--theta", settings.theta)->capture_default_str();
    app.add_option("--ranks", settings.ranks, "numbers of ranks")->capture_default_str();
    app.add_option("--repeats", settings.repeats, "the medians are of so many")->capture_default_str();
    app.add_option("--json", settings.json, "file to write");
    CLI11_PARSE(app, argc, argv);
    nlohmann::ordered_json json{{"cells", static_cast<long>(settings.side) * settings.side * settings.side},
                                {"boxes", settings.boxes},
                                {"theta", settings.theta},
                                {"order", order},
                                {"runs", nlohmann::ordered_json::array()}};
    fmt::print("{:>8} {:>6} {:>9} {:>13} {:>12} {:>9} {:>9} {:>10} {:>10}\n", "ranks", "near", "roots ms", "essential ms",
               "complete ms", "roots MB", "other MB", "nodes in", "cells in");
    for (const long ranks : settings.ranks) {
        MiddleRank rank(settings, ranks);
        rank.solve();  // takes the memory
        std::vector<Run> runs;
        for (int i = 0; i < settings.repeats; ++i) runs.push_back(rank.solve());
        const Run& one = runs.front();
        const double roots = median(runs, &Run::roots), essential = median(runs, &Run::essential);
        const double complete = median(runs, &Run::complete);
        fmt::print("{:>8} {:>6} {:>9.2f} {:>13.2f} {:>12.2f} {:>9.1f} {:>9.1f} {:>10} {:>10}\n", ranks, one.near, 1e3 * roots,
                   1e3 * essential, 1e3 * complete, 1e-6 * static_cast<double>(one.root_bytes),
                   1e-6 * static_cast<double>(one.bytes), one.imported_nodes, one.imported_cells);
        json["runs"].push_back({{"ranks", ranks},
                                {"near", one.near},
                                {"roots_s", roots},
                                {"essential_s", essential},
                                {"complete_s", complete},
                                {"root_table_bytes", one.root_bytes},
                                {"other_bytes", one.bytes},
                                {"nodes_imported", one.imported_nodes},
                                {"cells_imported", one.imported_cells}});
    }
    if (!settings.json.empty()) std::ofstream(settings.json) << json.dump(2) << '\n';
    return 0;
}

}  // namespace
}  // namespace gravlet::bench

int main(int argc, char** argv) { return gravlet::bench::main_of(argc, argv); }
