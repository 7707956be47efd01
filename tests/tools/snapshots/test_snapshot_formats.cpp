// SPDX-License-Identifier: Apache-2.0
// Snapshots of all formats, drawn at random: types, masses of the header, precision, orders of bytes, several files. The points
// that come are those that were written, their potentials are a double sum's, and `gravlet evolve` begins with them.
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "tests/tools/snapshots/made_hdf5.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/problems/problem.hpp"

#include <gravlet/solver.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace gravlet::test {
namespace {

using Row = std::array<double, 7>;  // x, v, mass

struct Found {
    std::uint64_t id;
    Row row;
    auto operator<=>(const Found&) const = default;
};

// Those of all ranks, in the order of their identities.
std::vector<Found> gathered(const PointSet& p) {
    std::vector<Found> mine, all;
    for (std::size_t i = 0; i < p.size(); ++i)
        mine.push_back({p.id[i], {p.x[i], p.y[i], p.z[i], p.velocity[0][i], p.velocity[1][i], p.velocity[2][i], p.mass[i]}});
    const int bytes = static_cast<int>(mine.size() * sizeof(Found));
    std::vector<int> counts(static_cast<std::size_t>(world_size())), places{0};
    MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (const int n : counts) places.push_back(places.back() + n);
    all.resize(static_cast<std::size_t>(places.back()) / sizeof(Found));
    MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), places.data(), MPI_BYTE, MPI_COMM_WORLD);
    std::ranges::sort(all);
    return all;
}

std::vector<Found> written(const std::vector<MadePoint>& points) {
    std::vector<Found> all;
    for (const MadePoint& p : points) all.push_back({p.id, {p.x[0], p.x[1], p.x[2], p.v[0], p.v[1], p.v[2], p.mass}});
    std::ranges::sort(all);
    return all;
}

double potential_at(const std::vector<MadePoint>& points, double x, double y, double z) {
    double sum = 0.0;
    for (const MadePoint& p : points) {
        const double r = std::hypot(p.x[0] - x, p.x[1] - y, p.x[2] - z);
        if (r > 0.0) sum -= p.mass / r;
    }
    return sum;
}

// The largest relative difference on this rank.
double difference_of_potentials(const PointSet& points, const std::vector<MadePoint>& all) {
    std::vector<double> potential(points.size());
    Options options;
    options.theta = 0.3;
    options.order = 4;
    Solver solver(MPI_COMM_WORLD, options);
    solver.solve(points.view(), Fields{potential});
    double largest = 0.0;
    for (std::size_t i = 0; i < potential.size(); ++i) {
        const double sum = potential_at(all, points.x[i], points.y[i], points.z[i]);
        if (sum != 0.0) largest = std::max(largest, std::abs(potential[i] / sum - 1.0));
    }
    return largest;
}

class SnapshotFormats : public RankFolder {
protected:
    void expect_read(const std::string& path, const MadeSnapshot& s, const std::vector<int>& types) {
        const std::vector<MadePoint> expected = s.points(types);
        for (const Distribution distribution : {Distribution::scatter, Distribution::curve}) {
            const Problem problem = make_problem(
                MPI_COMM_WORLD, SnapshotProblem{.path = path, .types = types, .distribution = distribution, .velocities = true});
            EXPECT_TRUE(gathered(problem.points) == written(expected));
            EXPECT_EQ(problem.domain.has_value(), s.box > 0.0);
            EXPECT_EQ(problem.domain.value_or(Box{}).upper, (Array3{s.box, s.box, s.box}));
            EXPECT_LT(difference_of_potentials(problem.points, expected), 1e-6);
        }
        const EvolveConfig config =
            parse_evolve_config(fmt::format("problem: {{kind: snapshot, path: {}, types: [{}]}}\nsolver: {{softening: 0.1}}\n"
                                            "evolve: {{end: 0.25, step: 0.125}}\noutput: {{snapshots: {}}}",
                                            path, fmt::join(types, ", "), at("s")),
                                {}, "test");
        const EvolveResult result = evolve(MPI_COMM_WORLD, config);
        EXPECT_EQ(result.largest_steps, 2);
        EXPECT_TRUE(gathered(read_snapshot(MPI_COMM_WORLD, at("s_0000.hdf5")).points) == written(expected));
        MPI_Barrier(MPI_COMM_WORLD);
    }
    // Rank 0 writes, all know where.
    template <class Write>
    std::string path_of(const Write& write) {
        std::string path;
        if (world_rank() == 0) path = write();
        std::array<char, 4096> bytes{};
        path.copy(bytes.data(), bytes.size() - 1);
        MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
        return bytes.data();
    }
};

// Those with points, some of them.
std::vector<int> draw_types(Draw& draw, const MadeSnapshot& s) {
    std::vector<int> types;
    if (draw.coin()) return types;
    for (int type = 5; type >= 0; --type)
        if (draw.coin()) types.push_back(type);
    return s.points(types).empty() ? std::vector<int>() : types;
}

TEST_F(SnapshotFormats, ComeAsTheyWereWritten) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        Draw draw(seed);
        const MadeSnapshot s = draw_snapshot(draw);
        const std::vector<int> types = draw_types(draw, s);
        const bool binary = draw.coin();
        const BinaryStyle style{
            .named = draw.coin(), .big_endian = draw.coin(), .short_header = draw.coin(), .more_blocks = draw.coin()};
        const Code code = std::array{Code::gadget, Code::gadget4, Code::arepo, Code::swift}[draw.below(4)];
        SCOPED_TRACE(fmt::format(
            "seed {}: {} file(s), {}", seed, s.files.size(),
            binary ? fmt::format("binary, format {}, {}-endian", style.named ? 2 : 1, style.big_endian ? "big" : "little")
                   : fmt::format("HDF5 {}", static_cast<int>(code))));
        const std::string base = at("snap_" + std::to_string(seed));
        const std::string path = path_of([&] { return binary ? write_binary(base, s, style) : write_hdf5(base, s, code); });
        expect_read(path, s, types);
    }
}

// A snapshot of gravlet's is one to begin with, too, on as many ranks and by types; it states no units.
TEST_F(SnapshotFormats, OfGravletItself) {
    const EvolveConfig config = parse_evolve_config(
        "problem: {kind: plummer, n: 200}\nsolver: {softening: 0.1}\nevolve: {end: 0.5, step: 0.25}\noutput: {snapshots: " +
            at("a") + "}",
        {}, "test");
    evolve(MPI_COMM_WORLD, config);
    const std::vector<Found> end = gathered(read_snapshot(MPI_COMM_WORLD, at("a_0001.hdf5")).points);
    MadeSnapshot s;
    s.files.resize(1);
    for (const auto& [id, row] : end) s.files[0][1].push_back({{row[0], row[1], row[2]}, {row[3], row[4], row[5]}, row[6], id});
    for (const std::vector<int>& types : {std::vector<int>(), std::vector<int>{1}}) expect_read(at("a_0001.hdf5"), s, types);
}

// Without identities the rows are.
TEST_F(SnapshotFormats, WithoutIdentities) {
    Draw draw(7);
    MadeSnapshot s = draw_snapshot(draw);
    s.files.resize(1);
    std::uint64_t row = 0;
    for (auto& points : s.files[0])
        for (MadePoint& p : points) p.id = row++;
    const std::string path = path_of([&] { return write_binary(at("a"), s, {.named = true, .with_ids = false}); });
    EXPECT_TRUE(gathered(read_snapshot(MPI_COMM_WORLD, path).points) == written(s.points({})));
}

}  // namespace
}  // namespace gravlet::test
