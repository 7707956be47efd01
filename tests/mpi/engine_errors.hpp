// SPDX-License-Identifier: Apache-2.0
// An engine around the CPU's that moves bodies between ranks: what fails in it is one error on every rank, in the words of a
// solve without it; results stay untouched and the engine usable.
#pragma once

#include "tests/mpi/gather.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gravlet::test {

inline bool on_last_rank() { return world_rank() == world_size() - 1; }

/// Its parameter is that of the engine.
class EngineErrors : public testing::TestWithParam<int> {
protected:
    using Spoil = std::function<void(BodyArrays& mesh, BodyArrays& points)>;

    explicit EngineErrors(BodyArrays mesh) : mesh_(std::move(mesh)), points_(random_points(2, 10)) {}

    /// Of leaders of the groups.
    [[nodiscard]] std::unique_ptr<Engine> gathered(const Grouping& grouping, const Options& options) const {
        return gather_engine(
            comm_, options, grouping.colour(world_rank()),
            [=](const Communicator& leaders, int threads, Narrator&) { return cpu_engine(leaders, options, threads); });
    }

    [[nodiscard]] Caught solve(Engine& engine, const Input& input) const {
        return agreed([&] { test::solve(engine, comm_, input); });
    }
    [[nodiscard]] Caught solve(Engine& engine, const BodyArrays& mesh, const BodyArrays& points, Result& result) const {
        return solve(engine, make_input(mesh.cells(), result.fields(), points.points(), {}));
    }

    /// Spoils what the last rank brings; returns the message.
    std::string expect_rejected(const Spoil& spoil) {
        BodyArrays bad = mesh_, bad_points = points_;
        if (on_last_rank()) spoil(bad, bad_points);
        Result result(mesh_.size());
        const Caught caught = solve(*engine_, bad, bad_points, result);
        EXPECT_EQ(caught.code, invalid_input);
        EXPECT_EQ(result, Result(mesh_.size()));
        EXPECT_EQ(solve(*engine_, mesh_, points_, result).code, 0);
        EXPECT_NE(result, Result(mesh_.size()));
        return caught.message;
    }
    void expect_same_message(const Spoil& spoil) {
        BodyArrays bad = mesh_, bad_points = points_;
        if (on_last_rank()) spoil(bad, bad_points);
        Result result(mesh_.size());
        const Caught plain = solve(*plain_, bad, bad_points, result);
        EXPECT_EQ(expect_rejected(spoil), plain.message);
        EXPECT_EQ(plain.message.starts_with("rank " + std::to_string(world_size() - 1) + ": "), world_size() > 1);
    }

    void expect_bodies_named() {
        expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.mass[5] = nan; });
        expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.mass[5] = -1.0; });
        expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.y[3] = 1.5; });
        expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.dx[3] = 0.0; });
        expect_same_message([](BodyArrays&, BodyArrays& points) { points.x[7] = infinity; });
        // These two are found by the rank that solves for them.
        expect_same_message(
            [](BodyArrays& mesh, BodyArrays&) { mesh.x[5] = mesh.x[3], mesh.y[5] = mesh.y[3], mesh.z[5] = mesh.z[3]; });
        expect_same_message([](BodyArrays& mesh, BodyArrays&) {  // one in the other
            mesh.dx[5] = 0.25 * mesh.dx[3];
            mesh.x[5] = mesh.x[3] + mesh.dx[5], mesh.y[5] = mesh.y[3] + mesh.dx[5], mesh.z[5] = mesh.z[3] + mesh.dx[5];
        });
    }

    /// The last rank's cell 5 is where rank 0 has its cell 2.
    std::string expect_equal_cells_rejected() {
        std::array<double, 3> position = {mesh_.x[2], mesh_.y[2], mesh_.z[2]};
        MPI_Bcast(position.data(), 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        return expect_rejected(
            [&](BodyArrays& mesh, BodyArrays&) { mesh.x[5] = position[0], mesh.y[5] = position[1], mesh.z[5] = position[2]; });
    }

    void expect_block_cells_named() {
        std::vector<double> density(24, 1.0), potential(24, Result::untouched);
        const double x = 0.5 * world_rank() / world_size();
        std::vector<Block> blocks;
        for (const double z : {0.0, 0.5})
            blocks.push_back(block_with_guards({x, 0.0, z}, {0.01, 0.1, 0.1}, {4, 3, 2}, 0, density.data(), potential.data()));
        Input input;
        input.blocks = blocks.data();
        input.block_count = blocks.size();
        std::vector<std::size_t> begin;
        lay_out_blocks(input, begin);
        const auto expect = [&](const std::string& what) {
            const std::string message = solve(*engine_, input).message;
            EXPECT_TRUE(message.find(what) != std::string::npos) << message;
            EXPECT_EQ(message, solve(*plain_, input).message);
        };
        if (on_last_rank()) blocks[1].lower[2] = 2.0;
        expect("cell (0, 0, 0) of block 1: at");
        if (on_last_rank()) density[2 + 4 * (1 + 3 * 1)] = nan;
        expect("cell (2, 1, 1) of block 0: density is NaN");
        density.assign(24, 1.0);
        if (on_last_rank()) blocks[1].lower[2] = 0.0;
        expect("of block 1 are at the same place");
        EXPECT_EQ(potential, std::vector<double>(24, Result::untouched));
    }

    static constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);
    Communicator comm_{MPI_COMM_WORLD};
    BodyArrays mesh_, points_;
    std::unique_ptr<Engine> engine_, plain_;
};

}  // namespace gravlet::test
