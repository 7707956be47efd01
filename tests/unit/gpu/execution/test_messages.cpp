// SPDX-License-Identifier: Apache-2.0
// Trees for ranks that cannot read this one's memory, as those of another machine: each gets its own, through host memory.
#include "gpu/execution/messages.hpp"
#include "tests/backend/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace gravlet::test {
namespace {

/// Trees for three ranks, the second without sources; every number another one.
struct Trees {
    const std::vector<std::size_t> node_begin{0, 2, 5, 7}, source_begin{0, 3, 3, 8};
    static constexpr std::size_t moments_per_node = 3;
    Gpu::Buffer<Node> nodes;
    Gpu::Buffer<float> moments;
    Gpu::Buffer<Source> sources;

    Trees(const Gpu& exec, bool filled)
        : nodes(exec.buffer<Node>()), moments(exec.buffer<float>()), sources(exec.buffer<Source>()) {
        std::vector<Node> n(node_begin.back());
        std::vector<float> m(n.size() * moments_per_node, 0.0f);
        std::vector<Source> s(source_begin.back());
        if (filled) {
            for (std::size_t i = 0; i < n.size(); ++i) n[i].mass = 100.0f + static_cast<float>(i);
            std::iota(m.begin(), m.end(), 1.0f);
            for (std::size_t i = 0; i < s.size(); ++i) s[i].mass = 200.0f + static_cast<float>(i);
        }
        nodes = on_backend(exec, n), moments = on_backend(exec, m), sources = on_backend(exec, s);
    }
    PrunedTreeArrays arrays() {
        return {nodes.data(), moments.data(), sources.data(), node_begin, source_begin, moments_per_node, {}};
    }
};

TEST(Messages, EachRankGetsItsOwnTree) {
    Machine machine;
    const Gpu exec = machine.exec();
    GpuMessages messages(exec);
    const std::vector<int> others{1, 2, 3};
    Trees sent(exec, true), received(exec, false);
    const PrunedTreeArrays out = messages.outgoing(sent.arrays(), others);
    if (out.nodes == sent.nodes.data()) GTEST_SKIP() << "this MPI takes device memory";
    for (std::size_t k = 0; k < others.size(); ++k) messages.ready(k);
    const PrunedTreeArrays in = messages.incoming(received.arrays(), others);
    std::copy_n(out.nodes, out.node_count(), in.nodes);
    std::copy_n(out.moments, out.moment_count(), in.moments);
    std::copy_n(out.sources, out.source_count(), in.sources);
    messages.arrived(received.arrays(), others);
    exec.synchronize();
    const std::vector<Node> nodes = on_host(exec, received.nodes);
    const std::vector<float> moments = on_host(exec, received.moments);
    const std::vector<Source> sources = on_host(exec, received.sources);
    for (std::size_t i = 0; i < nodes.size(); ++i) EXPECT_EQ(nodes[i].mass, 100.0f + static_cast<float>(i));
    for (std::size_t i = 0; i < moments.size(); ++i) EXPECT_EQ(moments[i], 1.0f + static_cast<float>(i));
    for (std::size_t i = 0; i < sources.size(); ++i) EXPECT_EQ(sources[i].mass, 200.0f + static_cast<float>(i));
}

}  // namespace
}  // namespace gravlet::test
