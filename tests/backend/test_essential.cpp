// SPDX-License-Identifier: Apache-2.0
// Pruned trees: for virtual roots made by hand, and for those of real ranks after their exchange.
#include "mpi/exchange.hpp"
#include "mpi/virtual_roots.hpp"
#include "solver/essential.hpp"
#include "solver/roots.hpp"
#include "solver/valid.hpp"
#include "tests/backend/local.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

constexpr int order = 2;
const Options options{.theta = 0.6, .order = order};

/// Every rank's pruned tree is valid, and goes where it must.
void expect_valid(const Backend& exec, const PrunedTrees<Backend>& trees, const VirtualRoots& roots, std::size_t me) {
    const std::size_t ranks = static_cast<std::size_t>(roots.ranks);
    ASSERT_EQ(trees.node_begin.size(), ranks + 1);
    ASSERT_EQ(trees.node_begin[ranks], trees.nodes.size());
    ASSERT_EQ(trees.source_begin[ranks], trees.sources.size());
    ASSERT_EQ(trees.moments.size(), trees.nodes.size() * moment_count(order));
    const std::vector<Node> all_nodes = on_host(exec, trees.nodes);
    const std::vector<Source> all_sources = on_host(exec, trees.sources);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const std::size_t begin = trees.node_begin[rank], source_begin = trees.source_begin[rank];
        const std::size_t nodes = trees.node_begin[rank + 1] - begin, sources = trees.source_begin[rank + 1] - source_begin;
        EXPECT_EQ(nodes > 0, sends(roots, me, rank)) << rank;
        if (nodes == 0) {
            EXPECT_EQ(sources, 0u) << rank;
            continue;
        }
        EXPECT_EQ(pruned_tree_flaw(all_nodes.data() + begin, nodes, all_sources.data() + source_begin, sources, roots, rank), "");
    }
}

TargetBox cube(double x, double y, double z, double half) {
    return {{{x - half, y - half, z - half}, {x + half, y + half, z + half}}, 0.0};
}

TEST(Essential, VirtualRootsMadeByHand) {
    for (const BodyArrays& points : {random_points(1, 4000), clustered_points(2, 4000), random_points(3, 1)}) {
        const LocalTree local(points, options);
        constexpr std::size_t stride = 3;
        // Rank 0 is this one; then one inside, one beside with three boxes, one so far that the root will do, one without
        // targets.
        const std::vector<std::vector<TargetBox>> boxes = {
            {cube(0.5, 0.5, 0.5, 0.5)},
            {cube(0.3, 0.7, 0.1, 0.01)},
            {cube(1.2, 0.5, 0.5, 0.1), cube(0.9, 0.9, 0.9, 0.05), cube(-3.0, 0.0, 0.0, 1.0)},
            {cube(1000.0, 0.0, 0.0, 1.0)},
            {},
        };
        std::vector<VirtualRootHeader> headers(boxes.size());
        std::vector<TargetBox> all(boxes.size() * stride);
        for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
            headers[rank].box_count = static_cast<std::int32_t>(boxes[rank].size());
            std::copy(boxes[rank].begin(), boxes[rank].end(), all.begin() + static_cast<std::ptrdiff_t>(rank * stride));
        }
        headers[0].has_mass = 1;
        headers[0].root = read(local.exec, local.view().nodes);
        const VirtualRoots roots{headers.data(), all.data(), stride, static_cast<int>(boxes.size())};
        EssentialWalk<Backend> walk(local.exec);
        PrunedTrees<Backend> out(local.exec);
        for (int again = 0; again < 2; ++again) {
            walk.run(local.view(), moment_count(order), roots, 0, out);
            expect_valid(local.exec, out, roots, 0);
            EXPECT_EQ(out.node_begin[2] > out.node_begin[1], points.size() > 1);  // a lone point is its root
            EXPECT_EQ(out.node_begin[5], out.node_begin[3]);                      // too far, and no targets
        }
        EXPECT_LE(out.sources.size(), 2 * local.bodies.source_count);
    }
}

TEST(Essential, NothingFromAnEmptyTree) {
    const LocalTree local({}, options);
    const VirtualRootHeader headers[2] = {{{}, 0, 0, 0, {}}, {{}, 1, 1, 0, {}}};
    const TargetBox boxes[2] = {cube(0.5, 0.5, 0.5, 0.5), cube(0.5, 0.5, 0.5, 0.5)};
    EssentialWalk<Backend> walk(local.exec);
    PrunedTrees<Backend> out(local.exec);
    walk.run(local.view(), moment_count(order), {headers, boxes, 1, 2}, 0, out);
    expect_valid(local.exec, out, {headers, boxes, 1, 2}, 0);
    EXPECT_EQ(out.nodes.size(), 0u);
}

// What is sent is valid, and so is what arrives.
TEST(Essential, BetweenRanks) {
    const Communicator comm(MPI_COMM_WORLD);
    const std::size_t ranks = static_cast<std::size_t>(comm.size()), me = static_cast<std::size_t>(comm.rank());
    const BodyArrays all = clustered_points(4, 6000);
    for (const bool slabs : {true, false}) {
        BodyArrays mine;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::size_t owner = slabs ? static_cast<std::size_t>(all.x[i] * static_cast<double>(ranks)) : i % ranks;
            if (owner == me) mine.add(all.x[i], all.y[i], all.z[i], all.mass[i]);
        }
        const LocalTree local(mine, options);
        std::vector<TargetBox> boxes;
        const VirtualRootHeader header = make_virtual_root(local.exec, local.bodies, local.tree, moment_count(order), 32, boxes);
        Stages stages(comm);
        VirtualRootTable table;
        table.prepare(comm.size(), boxes.size());
        VirtualRoots roots;
        stages.collective([&](const Agreed& agreed) { roots = table.gather(agreed, header, boxes, {}, 0.0); });
        EssentialWalk<Backend> walk(local.exec);
        PrunedTrees<Backend> send(local.exec), receive(local.exec);
        walk.run(local.view(), moment_count(order), roots, comm.rank(), send);
        expect_valid(local.exec, send, roots, me);

        EssentialExchange exchange(comm);
        Backend::Messages messages(local.exec);
        exchange.count(send.node_begin, send.source_begin, moment_count(order));
        stages.collective([&](const Agreed& agreed) { exchange.announce(agreed); });
        exchange.expect(receive.node_begin, receive.source_begin);
        receive.nodes.resize_discard(receive.node_begin.back());
        receive.moments.resize_discard(receive.node_begin.back() * moment_count(order));
        receive.sources.resize_discard(receive.source_begin.back());
        exchange.post(messages.outgoing(send.arrays(moment_count(order))),
                      messages.incoming(receive.arrays(moment_count(order))));
        stages.collective([&](const Agreed& agreed) { exchange.finish(agreed); });
        messages.arrived(receive.arrays(moment_count(order)));
        const std::vector<Node> nodes_here = on_host(local.exec, receive.nodes);
        const std::vector<Source> sources_here = on_host(local.exec, receive.sources);
        for (std::size_t from = 0; from < ranks; ++from) {
            const std::size_t begin = receive.node_begin[from], source_begin = receive.source_begin[from];
            const std::size_t nodes = receive.node_begin[from + 1] - begin;
            EXPECT_EQ(nodes > 0, sends(roots, from, me));
            if (nodes == 0) continue;
            EXPECT_EQ(pruned_tree_flaw(nodes_here.data() + begin, nodes, sources_here.data() + source_begin,
                                       receive.source_begin[from + 1] - source_begin, roots, me),
                      "");
        }
    }
}

}  // namespace
}  // namespace gravlet::test
