// SPDX-License-Identifier: Apache-2.0
// gravlet_synthetic_ranks: what a rank does for its neighbours, and what it keeps of all, among more ranks than there is hardware
// for. One rank's cells, a cube of a uniform mesh, are in the middle of a box full of its likes: every remote rank is a copy of
// it, moved. So what they would send is what it would send them, moved back. One thread; what MPI takes is not in it.
#include "cpu/cpu.hpp"
#include "physics/order.hpp"
#include "solver/complete.hpp"
#include "solver/essential.hpp"
#include "solver/roots.hpp"
#include "solver/sort.hpp"
#include "solver/targets.hpp"

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

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Where the ranks are: a cube of them, as full as there are ranks; this one is in the middle.
struct Neighbourhood {
    long ranks, along;
    double width;  ///< of a rank's cube, in units of the root cube's side: cells are a power of two of it

    Neighbourhood(long n, int side) : ranks(n), along(static_cast<long>(std::ceil(std::cbrt(static_cast<double>(n)) - 1e-9))) {
        const std::uint64_t cells = std::bit_ceil(static_cast<std::uint64_t>(along * side));
        width = static_cast<double>(side) / static_cast<double>(cells);
    }
    [[nodiscard]] long middle() const { return (along / 2 * along + along / 2) * along + along / 2; }
    [[nodiscard]] Vector3 corner(long rank) const {
        const auto at = [&](long i) { return static_cast<double>(i) * width; };
        return {at(rank % along), at(rank / along % along), at(rank / (along * along))};
    }
    /// From this one.
    [[nodiscard]] Vector3 displacement(long rank) const {
        const Vector3 a = corner(rank), b = corner(middle());
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    /// On the other side of this one, as far away.
    [[nodiscard]] long opposite(long rank) const { return 2 * middle() - rank; }
};

template <class T>
T moved(T at, const Vector3& by) {
    at.x += by.x, at.y += by.y, at.z += by.z;
    return at;
}

TargetBox moved(const TargetBox& box, const Vector3& by) {
    return {{moved(box.box.lower, by), moved(box.box.upper, by)}, box.softening};
}

struct Run {
    std::size_t near = 0, imported_nodes = 0, imported_cells = 0;
    double roots = 0.0, essential = 0.0, complete = 0.0;
    std::size_t root_bytes = 0, essential_bytes = 0, complete_bytes = 0;
};

Run run(const Settings& settings, long ranks) {
    const Neighbourhood near(ranks, settings.side);
    Cpu::Machine machine(1);
    const Cpu exec = machine.exec();
    const Cpu::Scope scope(exec);
    Options options;
    options.theta = settings.theta;
    options.order = order;
    Frame frame;
    frame.cells = frame.several_ranks = true;
    frame.extent = near.width * static_cast<double>(near.along);
    frame.total_mass = static_cast<double>(ranks);

    const int side = settings.side;
    const double cell = near.width / side;
    const Vector3 corner = near.corner(near.middle());
    std::vector<double> x, y, z, dx, mass;
    for (int k = 0; k < side; ++k)
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i) {
                x.push_back(corner.x + (i + 0.5) * cell);
                y.push_back(corner.y + (j + 0.5) * cell);
                z.push_back(corner.z + (k + 0.5) * cell);
                dx.push_back(cell);
                mass.push_back(1.0 / (static_cast<double>(side) * side * side));
            }
    const Input input = make_input({x, y, z, dx, {}, {}, mass}, {}, {}, {});
    Bodies<Cpu> bodies(exec);
    Tree<Cpu> tree(exec);
    sort(exec, input, frame, options, bodies);
    build_tree(exec, bodies.keys_of_sources(), static_cast<std::uint32_t>(bodies.source_count),
               static_cast<std::uint32_t>(options.leaf_size), 0, static_cast<float>(frame.cube.side), tree);
    compute_moments<order>(exec, bodies.sources(), frame.cube, opening_of(options, frame), tree);
    choose_targets(exec, input, false, bodies);
    const std::size_t own_nodes = tree.count();

    Run out;
    VirtualRoots roots;
    const int rank = static_cast<int>(near.middle());
    roots.all.resize(static_cast<std::size_t>(ranks));
    const OwnVirtualRoot mine = make_virtual_root<order>(exec, bodies, tree, frame.cube, opening_of(options, frame),
                                                         static_cast<std::size_t>(settings.boxes));
    const std::vector<TargetBox>& boxes = mine.boxes;
    for (long r = 0; r < ranks; ++r) {
        VirtualRoot& root = roots.all[static_cast<std::size_t>(r)] = mine.root;
        root.root.node = moved(root.root.node, near.displacement(r));
        root.box = moved(root.box, near.displacement(r));
    }
    double begin = seconds();
    find_near(rank, roots);
    out.roots = seconds() - begin;
    out.near = roots.audience.size();
    roots.stride = boxes.size();
    for (const int other : roots.audience)
        for (const TargetBox& box : boxes) roots.boxes.push_back(moved(box, near.displacement(other)));
    out.root_bytes = roots.all.size() * sizeof(VirtualRoot) + roots.boxes.size() * sizeof(TargetBox) +
                     (roots.audience.size() + roots.senders.size()) * sizeof(int);

    exec.tally->reset();
    const std::size_t before = exec.tally->peak();
    EssentialWalk<Cpu> walk(exec);
    PrunedTrees<Cpu> send(exec);
    begin = seconds();
    walk.run(view_of(bodies, tree), moment_count(order), roots.nodes_of(rank), roots.targets(), roots.audience.size(), send);
    out.essential = seconds() - begin;
    out.essential_bytes = exec.tally->peak() - before;

    // What comes back.
    std::vector<Announcement> announced;
    for (const int sender : roots.senders) {
        const auto at = std::ranges::lower_bound(roots.audience, static_cast<int>(near.opposite(sender)));
        const std::size_t k = static_cast<std::size_t>(at - roots.audience.begin());
        announced.push_back({send.node_begin[k + 1] - send.node_begin[k], send.source_begin[k + 1] - send.source_begin[k],
                             send.node_begin[k], send.source_begin[k], 0, 0});
    }
    TreeCompletion<Cpu> completion(exec);
    const PrunedTreeArrays room = completion.make_room(announced, moment_count(order), bodies, tree);
    constexpr std::size_t moments = moment_count(order);
    for (std::size_t k = 0; k < announced.size(); ++k) {
        const Announcement& from = announced[k];
        const Vector3 by = near.displacement(roots.senders[k]);
        const auto move = [&](const auto& element) { return moved(element, by); };
        std::transform(send.nodes.data() + from.first_node, send.nodes.data() + from.first_node + from.nodes,
                       room.nodes + room.node_begin[k], move);
        std::transform(send.sources.data() + from.first_source, send.sources.data() + from.first_source + from.sources,
                       room.sources + room.source_begin[k], move);
        std::copy_n(send.moments.data() + from.first_node * moments, from.nodes * moments,
                    room.moments + room.node_begin[k] * moments);
    }
    out.imported_nodes = room.node_count();
    out.imported_cells = room.source_count();
    begin = seconds();
    completion.take_in<order>(roots, rank, bodies, tree);
    const TreeView whole = completion.merge<order>(true, bodies, frame, options, tree);
    out.complete = seconds() - begin;
    out.complete_bytes = (tree.count() > own_nodes ? tree.nodes.size() - own_nodes : tree.nodes.size()) *
                             (sizeof(Node) + moments * sizeof(float)) +
                         out.imported_cells * sizeof(Source);
    const double found = read(exec, whole.nodes + whole.root).mass;
    if (std::abs(found / static_cast<double>(ranks) - 1.0) > 1e-4)
        throw std::runtime_error(fmt::format("the completed tree has a mass of {}, not {}", found, ranks));
    return out;
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
    fmt::print("{:>8} {:>6} {:>10} {:>13} {:>12} {:>12} {:>8} {:>13} {:>12} {:>14} {:>14}\n", "ranks", "near", "roots ms",
               "essential ms", "complete ms", "roots MB", "ess. MB", "complete MB", "nodes in", "cells in", "bytes in/cell");
    for (const long ranks : settings.ranks) {
        std::vector<Run> runs;
        for (int i = 0; i < settings.repeats; ++i) runs.push_back(run(settings, ranks));
        const auto median = [&](double Run::*member) {
            std::vector<double> values;
            for (const Run& one : runs) values.push_back(one.*member);
            std::ranges::sort(values);
            return values[values.size() / 2];
        };
        const Run& one = runs.front();
        const auto mega = [](std::size_t bytes) { return 1e-6 * static_cast<double>(bytes); };
        const double roots = median(&Run::roots), essential = median(&Run::essential), complete = median(&Run::complete);
        fmt::print("{:>8} {:>6} {:>10.2f} {:>13.2f} {:>12.2f} {:>12.1f} {:>8.1f} {:>13.1f} {:>12} {:>14}\n", ranks, one.near,
                   1e3 * roots, 1e3 * essential, 1e3 * complete, mega(one.root_bytes), mega(one.essential_bytes),
                   mega(one.complete_bytes), one.imported_nodes, one.imported_cells);
        json["runs"].push_back({{"ranks", ranks},
                                {"near", one.near},
                                {"roots_s", roots},
                                {"essential_s", essential},
                                {"complete_s", complete},
                                {"root_table_bytes", one.root_bytes},
                                {"essential_bytes", one.essential_bytes},
                                {"complete_bytes", one.complete_bytes},
                                {"nodes_imported", one.imported_nodes},
                                {"cells_imported", one.imported_cells}});
    }
    if (!settings.json.empty()) std::ofstream(settings.json) << json.dump(2) << '\n';
    return 0;
}

}  // namespace
}  // namespace gravlet::bench

int main(int argc, char** argv) { return gravlet::bench::main_of(argc, argv); }
