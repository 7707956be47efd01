// SPDX-License-Identifier: Apache-2.0
// Ranks that hardly have anything: no body, one, all at one place, all without mass or nearly so; by all criteria and boundaries,
// of points, cells and both. What they get is judged as any combination is.
#include "tests/combine/play.hpp"

#include <gravlet/option_list.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <random>
#include <string>

namespace gravlet::combine {
namespace {

enum class Poor { empty, lone, one_place, massless, nearly_massless };
enum class Kind { points, cells, both };

class Draw {
public:
    explicit Draw(Poor poor, Kind kind) : poor_(poor) {
        MPI_Comm_size(MPI_COMM_WORLD, &c_.ranks);
        set_option(c_.options, "backend", "cpu");
        set_option(c_.options, "threads", "1");
        set_option(c_.options, "domain", "[[0, 0, 0], [1, 1, 1]]");
        c_.points_want = {true, true, false}, c_.cells_want = {true, true, false};
        c_.layout.cubes = true;
        if (kind != Kind::points) add_cells();
        if (kind != Kind::cells) add_points();
    }
    [[nodiscard]] const Case& get() const { return c_; }

private:
    /// The last rank, or one of the others.
    [[nodiscard]] int rank_of(bool poor) {
        if (poor) return c_.ranks - 1;
        return c_.ranks == 1 ? 0 : static_cast<int>(random_() % static_cast<std::uint64_t>(c_.ranks - 1));
    }
    [[nodiscard]] double mass_of(bool poor, double mass) const {
        return !poor ? mass : poor_ == Poor::massless ? 0.0 : poor_ == Poor::nearly_massless ? 1e-30 * mass : mass;
    }
    /// How many bodies the last rank has, of one kind.
    [[nodiscard]] int poor_bodies() const { return poor_ == Poor::empty ? 0 : poor_ == Poor::lone ? 1 : 12; }

    void add_points() {
        const int poor = poor_bodies();
        const double x = uniform_(random_), y = uniform_(random_), z = uniform_(random_);
        for (int i = 0; i < 90; ++i) {
            const bool here = i < poor, there = here && poor_ == Poor::one_place;
            const Vector at{there ? x : uniform_(random_), there ? y : uniform_(random_), there ? z : uniform_(random_)};
            c_.bodies.points.push_back({at, mass_of(here, 0.01 + uniform_(random_)), 0.0, true, rank_of(here)});
        }
    }
    /// A grid of 6^3: the poor rank's are side by side, as no two are at one place.
    void add_cells() {
        const int poor = poor_ == Poor::one_place ? 1 : poor_bodies();
        constexpr double h = 1.0 / 6.0;
        for (int i = 0; i < 216; ++i) {
            const bool here = i < poor;
            const Vector at{(i % 6 + 0.5) * h, (i / 6 % 6 + 0.5) * h, (i / 36 + 0.5) * h};
            c_.bodies.cells.push_back({at, {h, h, h}, mass_of(here, h * h * h * (0.1 + uniform_(random_))), true, rank_of(here)});
        }
    }

    Case c_;
    Poor poor_;
    std::mt19937_64 random_{7};
    std::uniform_real_distribution<double> uniform_;
};

class Degenerate : public testing::TestWithParam<Poor> {};

TEST_P(Degenerate, RanksGetWhatOthersGet) {
    for (const Kind kind : {Kind::points, Kind::cells, Kind::both}) {
        Case c = Draw(GetParam(), kind).get();
        for (const char* boundary :
             {"isolated", "periodic", "[periodic, isolated, periodic]", "[isolated, periodic, isolated]"}) {
            set_option(c.options, "boundary", boundary);
            for (const auto& [option, value] :
                 std::array{std::pair("criterion", "opening"), std::pair("criterion", "acceleration"),
                            std::pair("criterion", "multipole"), std::pair("tolerance", "1e-4")}) {
                Case one = c;
                set_option(one.options, option, value);
                const Verdict verdict = play(one);
                EXPECT_TRUE(verdict.good()) << boundary << ", " << option << ' ' << value << ", kind " << static_cast<int>(kind)
                                            << ": " << verdict.text;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Degenerate,
                         testing::Values(Poor::empty, Poor::lone, Poor::one_place, Poor::massless, Poor::nearly_massless));

}  // namespace
}  // namespace gravlet::combine
