// SPDX-License-Identifier: Apache-2.0
// Subgroups hold each target of the groups that were given up once, and no other: a target too many is another group's, or
// none's.
#include "gpu/walk/walk.hpp"
#include "tests/backend/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace gravlet::test {
namespace {

constexpr std::uint32_t counts[] = {64, 37, 8, 3, 1, 63};  // of groups that lie next to each other, the last at the end of all

std::vector<Source> bodies() {
    std::vector<Source> all(std::accumulate(std::begin(counts), std::end(counts), 0u));
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].x = 0.37 * static_cast<double>(i * i % 101);
        all[i].y = -1.0 - static_cast<double>(i * 7 % 13);
        all[i].z = 2.0 + 0.5 * static_cast<double>(i % 5);
    }
    return all;
}

std::vector<Group> groups() {
    std::vector<Group> all;
    std::uint32_t begin = 0;
    for (const std::uint32_t count : counts) {
        all.push_back({empty_bounds(), 0.5f, static_cast<float>(begin), begin, count, 0.75f, 3.0f});
        begin += count;
    }
    return all;
}

TEST(SplitGroups, EachTargetOnce) {
    const std::vector<Source> all = bodies();
    const std::vector<Group> whole = groups();
    const std::vector<std::uint32_t> chosen{5, 0, 1, 3, 2};  // in any order; not the fifth
    std::vector<WalkedGroup> given_up;
    for (const std::uint32_t group : chosen) given_up.push_back({group, 0.0f});
    Machine machine;
    const Gpu exec = machine.exec();
    const auto on_device = on_backend(exec, all);
    const auto of_all = on_backend(exec, whole);
    const auto list = on_backend(exec, given_up);
    WalkTargets targets;
    targets.bodies = on_device.data();
    targets.groups = of_all.data();
    for (const int size : {1, 8, 32}) {
        const int per_group = 64 / size;
        auto subgroups = exec.buffer<Group>();
        split_groups(exec, targets, list.data(), list.size(), size, per_group, subgroups);
        const std::vector<Group> got = on_host(exec, subgroups);
        ASSERT_EQ(got.size(), chosen.size() * static_cast<std::size_t>(per_group));
        for (std::size_t g = 0; g < chosen.size(); ++g) {
            const Group& group = whole[chosen[g]];
            std::uint32_t next = group.begin;
            for (int part = 0; part < per_group; ++part) {
                const Group& subgroup = got[g * static_cast<std::size_t>(per_group) + static_cast<std::size_t>(part)];
                EXPECT_EQ(subgroup.scale, group.scale);
                EXPECT_EQ(subgroup.softening, group.softening);
                EXPECT_EQ(subgroup.factor, group.factor);
                EXPECT_EQ(subgroup.side, group.side);
                EXPECT_LE(subgroup.count, static_cast<std::uint32_t>(size));
                if (subgroup.count == 0) continue;
                EXPECT_EQ(subgroup.begin, next);
                next += subgroup.count;
                double lower = std::numeric_limits<double>::infinity(), upper = -lower;
                for (std::uint32_t i = subgroup.begin; i < next; ++i)
                    lower = std::min(lower, all[i].x), upper = std::max(upper, all[i].x);
                EXPECT_EQ(subgroup.box.lower.x, lower);
                EXPECT_EQ(subgroup.box.upper.x, upper);
            }
            EXPECT_EQ(next, group.begin + group.count) << "group " << chosen[g] << " by " << size;
        }
    }
}

}  // namespace
}  // namespace gravlet::test
