// SPDX-License-Identifier: Apache-2.0
// Sums over periodic images against the classical formulas, and what is made of them: the table, its file, the far kernel.
#include "ewald/correction.hpp"
#include "ewald/far_images.hpp"
#include "ewald/lattice_sum.hpp"
#include "hdf5/hdf5_file.hpp"
#include "tests/classical_sum.hpp"
#include "tests/ewald_table.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace gravlet {
namespace {

using std::numbers::pi;
using Sides = std::array<double, 3>;

constexpr std::array<bool, 3> ppp{true, true, true}, ppi{true, true, false}, ipp{false, true, true}, pii{true, false, false},
    ipi{false, true, false};

const PeriodicBox cube{{1, 1, 1}, ppp};

std::string name_of(const PeriodicBox& box) {
    std::string name;
    for (std::size_t d = 0; d < 3; ++d) name += std::to_string(box.side[d]) + (box.periodic[d] ? "p " : "i ");
    if (box.shear != 0.0) name += "sheared by " + std::to_string(box.shear) + ' ';
    return name;
}

using test::norm;

/// Random positions in the nearest image and, in isolated directions, up to the box's side.
std::vector<Vector3> positions_in(const PeriodicBox& box, std::size_t n) {
    std::mt19937_64 random(n);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto coordinate = [&](std::size_t d) { return uniform(random) * box.side[d] * (box.periodic[d] ? 0.5 : 1.0); };
    std::vector<Vector3> positions(n);
    for (Vector3& r : positions) r = {coordinate(0), coordinate(1), coordinate(2)};
    return positions;
}

template <class F>
double largest_difference(const PeriodicBox& box, double softening, const std::vector<Vector3>& positions, const F& expected) {
    double largest = 0.0;
#pragma omp parallel for schedule(dynamic) reduction(max : largest)
    for (std::size_t i = 0; i < positions.size(); ++i)
        largest = std::max(largest, std::abs(periodic_potential(box, positions[i], softening) - expected(positions[i])));
    return largest;
}

/// In units of the shortest period, which is 1 here.
const std::vector<double> softenings{0.0, 0.01, 0.1};

TEST(LatticeSum, ConstantOfTheCube) {
    const LatticeSum sum(cube, 0.0, 1.0, 0.0);
    EXPECT_NEAR(sum.value({0.0, 0.0, 0.0}), -2.8372974794806195, 2.6e-15);
    const LatticeSum larger({{8, 8, 8}, ppp}, 0.0, 8.0, 0.0);
    EXPECT_NEAR(larger.value({0.0, 0.0, 0.0}), -2.8372974794806195 / 8.0, 5e-16);
}

TEST(LatticeSum, BoxAgainstEwald) {
    for (const Sides& sides : {Sides{1, 1, 1}, Sides{4, 2, 1}, Sides{1, 8, 1}, Sides{8, 1, 1}}) {
        const PeriodicBox box{sides, ppp};
        for (const double softening : softenings) {
            const double largest = largest_difference(box, softening, positions_in(box, 400), test::ClassicalSum(box, softening));
            EXPECT_LE(largest, 4.6e-14) << name_of(box) << softening;
        }
    }
}

TEST(LatticeSum, SlabAgainstParry) {
    for (const Sides& sides : {Sides{1, 1, 1}, Sides{1, 1, 5}, Sides{4, 2, 1}, Sides{1, 8, 3}}) {
        const PeriodicBox box{sides, ppi};
        for (const double softening : softenings) {
            const double largest = largest_difference(box, softening, positions_in(box, 400), test::ClassicalSum(box, softening));
            EXPECT_LE(largest, 1e-13) << name_of(box) << softening;
        }
    }
}

/// Sheared by anything up to half a period.
const std::vector<PeriodicBox> sheared_boxes{
    {{1, 1, 1}, ppp, 0.3},  {{1, 1, 1}, ppi, -0.5},     {{4, 2, 1}, ppp, -0.617},     {{1, 4, 2}, ppi, 2.0},
    {{1, 8, 1}, ppp, 3.21}, {{3, 1, 0.5}, ppi, 0.0123}, {{1, 1, 1}, ppp, 1.0 / 4096}, {{1.5, 1, 4}, ppp, 0.4999999}};

TEST(LatticeSum, ShearedBoxes) {
    for (const PeriodicBox& box : sheared_boxes) {
        for (const double softening : softenings) {
            const double largest = largest_difference(box, softening, positions_in(box, 400), test::ClassicalSum(box, softening));
            EXPECT_LE(largest, 1e-13) << name_of(box) << softening;
        }
    }
}

// The sum knows that a shear by a whole period is none.
TEST(LatticeSum, ShearRepeats) {
    for (const bool slab : {false, true}) {
        const PeriodicBox box{{4, 2, 1}, slab ? ppi : ppp}, sheared{box.side, box.periodic, 0.7};
        for (const Vector3& r : positions_in(box, 20)) {
            const double plain = periodic_potential(box, r, 0.0);
            EXPECT_NEAR(periodic_potential({box.side, box.periodic, 2.0}, r, 0.0), plain, 4e-15);
            EXPECT_NEAR(periodic_potential({box.side, box.periodic, -4.0}, r, 0.0), plain, 4e-15);
            const double value = periodic_potential(sheared, r, 0.0);
            EXPECT_NEAR(periodic_potential(sheared, {r.x + 4.0, r.y + 0.7, r.z}, 0.0), value, 1e-14);
            EXPECT_NEAR(periodic_potential(sheared, {-r.x, -r.y, r.z}, 0.0), value, 1e-14);
            EXPECT_NEAR(periodic_potential({box.side, box.periodic, -0.7}, {-r.x, r.y, r.z}, 0.0), value, 1e-14);
        }
    }
}

TEST(LatticeSum, FilamentAgainstBesselFunctions) {
    for (const Sides& sides : {Sides{1, 1, 1}, Sides{4, 2, 3}, Sides{1, 6, 6}}) {
        const PeriodicBox box{sides, pii};
        std::vector<Vector3> positions = positions_in(box, 400);
        std::erase_if(positions, [&](const Vector3& r) { return std::hypot(r.y, r.z) < 0.15 * sides[0]; });
        for (const double softening : softenings) {
            const double largest = largest_difference(
                box, softening, positions, [&](const Vector3& r) { return test::classical_filament(sides[0], r, softening); });
            EXPECT_LE(largest, 5e-14) << name_of(box) << softening;
        }
    }
}

TEST(LatticeSum, FarFromSlabAndFilament) {
    EXPECT_NEAR(periodic_potential({{2, 1, 1}, ppi}, {0.3, 0.2, -20.0}, 0.0), -20.0 * pi, 4e-14);
    EXPECT_DOUBLE_EQ(periodic_potential({{2, 1, 1}, pii}, {0.3, 30.0, 40.0}, 0.0), -std::log(25.0));
    constexpr double softening = 0.1;
    EXPECT_NEAR(periodic_potential({{2, 1, 1}, ppi}, {0.3, 0.2, -20.0}, softening), -pi * std::hypot(20.0, softening), 2e-14);
    EXPECT_NEAR(periodic_potential({{2, 1, 1}, pii}, {0.3, 30.0, 40.0}, softening), -std::log(std::hypot(50.0, softening) / 2.0),
                4e-15);
}

TEST(LatticeSum, RepeatsAndIsSymmetric) {
    const PeriodicBox box{{4, 2, 1}, ppi};
    const double value = periodic_potential(box, {0.7, 0.3, 0.4}, 0.0);
    EXPECT_NEAR(periodic_potential(box, {0.7 - 8.0, 0.3 + 6.0, 0.4}, 0.0), value, 6e-16);
    EXPECT_DOUBLE_EQ(periodic_potential(box, {-0.7, 0.3, -0.4}, 0.0), value);
    EXPECT_DOUBLE_EQ(periodic_potential({{1, 4, 2}, ipp}, {0.4, 0.7, 0.3}, 0.0), value);
}

const std::vector<PeriodicBox> boxes{cube,
                                     {{4, 2, 1}, ppp},
                                     {{1, 1, 1}, ppi},
                                     {{4, 2, 1}, ppi},
                                     {{4, 2, 1}, ipp},
                                     {{1, 1, 1}, pii},
                                     {{2, 1, 4}, ipi},
                                     {{1, 1, 1}, ppp, 0.3},
                                     {{4, 2, 1}, ppi, -0.71},
                                     {{1, 3, 1}, ppp, 1.0}};

using Derivatives = std::array<double, derivative_count(max_ewald_order)>;

Derivatives derivatives_at(const LatticeSum& sum, const std::array<double, 3>& r) {
    Derivatives out{};
    constexpr int order = max_ewald_order;
    sum.derivatives(sum.plane(r[0], r[1], order), sum.axis(2, r[2], order), order, out.data());
    return out;
}

TEST(LatticeSum, DerivativesAreTheNextLowersSlope) {
    constexpr double h = 0.004, weight[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    for (const PeriodicBox& box : boxes) {
        const LatticeSum sum(box, 4.0, 0.5 * box.shortest_period(), 0.1);
        double largest = 0.0;  // in units of n!/l^(n + 1), what an image at l = half the shortest period adds
        for (const Vector3& position : positions_in(box, 5)) {
            const std::array<double, 3> r{position.x, position.y, position.z};
            const Derivatives here = derivatives_at(sum, r);
            for (std::size_t d = 0; d < 3; ++d) {
                Derivatives slope{};
                for (int step = 1; step <= 3; ++step) {
                    std::array<double, 3> above = r, below = r;
                    above[d] += step * h, below[d] -= step * h;
                    const Derivatives high = derivatives_at(sum, above), low = derivatives_at(sum, below);
                    for (std::size_t i = 0; i < slope.size(); ++i) slope[i] += weight[step - 1] / h * (high[i] - low[i]);
                }
                for (int a = 0; a < max_ewald_order; ++a) {
                    for (int b = 0; a + b < max_ewald_order; ++b) {
                        for (int c = 0; a + b + c < max_ewald_order; ++c) {
                            const auto lower = static_cast<std::size_t>(local_index(a, b, c));
                            const auto index = static_cast<std::size_t>(local_index(a + (d == 0), b + (d == 1), c + (d == 2)));
                            const double unit = std::tgamma(a + b + c + 2.0) * std::pow(2.0, a + b + c + 2.0);
                            largest = std::max(largest, std::abs(here[index] - slope[lower]) / unit);
                        }
                    }
                }
            }
        }
        EXPECT_LE(largest, 3.2e-11) << name_of(box);
    }
}

TEST(LatticeSum, LaplacianIsTheMeanDensity) {
    for (const PeriodicBox& box : boxes) {
        const LatticeSum sum(box, 4.0, 0.5 * box.shortest_period(), 0.0);
        const double mean = box.dimensions() == 3 ? 4.0 * pi / (box.side[0] * box.side[1] * box.side[2]) : 0.0;
        double largest = 0.0;
        for (const Vector3& r : positions_in(box, 20)) {
            const Derivatives f = derivatives_at(sum, {r.x, r.y, r.z});
            largest =
                std::max(largest, std::abs(f[local_index(2, 0, 0)] + f[local_index(0, 2, 0)] + f[local_index(0, 0, 2)] - mean));
        }
        EXPECT_LE(largest, 3.6e-14) << name_of(box);
    }
}

struct TableErrors {
    double potential = 0.0, acceleration = 0.0, tidal = 0.0;
};

/// Against the sum, at 100 000 positions: in blocks of 22^3, so that the sum's axes serve many.
TableErrors table_errors(const PeriodicBox& box, int nodes, int order, double softening = 0.0, std::size_t blocks = 10) {
    const EwaldTable table({box, nodes, order, softening}, 2);
    const EwaldView view = table.view();
    const LatticeSum sum(box, std::ranges::max(box.side), 0.5, softening);
    constexpr std::size_t n = 22;
    double potential = 0.0, acceleration = 0.0, tidal = 0.0;
    for (std::size_t block = 0; block < blocks; ++block) {
        const std::vector<Vector3> r = positions_in(box, n + block);
        std::vector<LatticeSum::Axis> z;
        for (std::size_t i = 0; i < n; ++i) z.push_back(sum.axis(2, r[i].z, 2));
#pragma omp parallel for collapse(2) reduction(max : potential, acceleration, tidal)
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                const LatticeSum::Plane xy = sum.plane(r[i].x, r[j].y, 2);
                for (std::size_t k = 0; k < n; ++k) {
                    double expected[derivative_count(2)];
                    sum.derivatives(xy, z[k], 2, expected);
                    const Jet<double, 2> got = ewald_correction<2>(view, r[i].x, r[j].y, r[k].z, softening > 0.0);
                    const Vector3 difference{got.term[1] - expected[local_index(1, 0, 0)],
                                             got.term[2] - expected[local_index(0, 1, 0)],
                                             got.term[3] - expected[local_index(0, 0, 1)]};
                    potential = std::max(potential, std::abs(got.term[0] - expected[0]));
                    acceleration = std::max(acceleration, norm(difference));
                    for (std::size_t c = first_component(2); c < component_count(2); ++c)
                        tidal = std::max(tidal, std::abs(got.term[c] - expected[c]));
                }
            }
        }
    }
    return {potential, acceleration, tidal};
}

TEST(EwaldTable, AgainstTheSum) {
    std::vector<PeriodicBox> all = boxes;
    all.push_back({{1, 1, 1000}, ppp});
    for (const PeriodicBox& box : all) {
        for (const double softening : {0.0, 0.1}) {
            const TableErrors errors = table_errors(box, 24, 5, softening, softening > 0.0 ? 2 : 10);
            std::cout << name_of(box) << softening << ": " << errors.potential << ' ' << errors.acceleration << ' '
                      << errors.tidal << '\n';
            EXPECT_LE(errors.potential, 3e-8) << name_of(box) << softening;
            EXPECT_LE(errors.acceleration, 3e-6) << name_of(box) << softening;
            EXPECT_LE(errors.tidal, 3e-4) << name_of(box) << softening;
        }
    }
}

// Where images in isolated directions end, an even plane or line takes over.
TEST(EwaldTable, BeyondItsEnd) {
    for (const PeriodicBox& box : {PeriodicBox{{1, 1, 10}, ppi}, PeriodicBox{{1, 10, 10}, pii}, PeriodicBox{{10, 1, 10}, ipi}}) {
        const EwaldTable table({box, 8, 5, 0.1}, 2);
        const EwaldView view = table.view();
        const LatticeSum sums[] = {{box, 10.0, 0.5, 0.0}, {box, 10.0, 0.5, 0.1}};
        std::vector<Vector3> positions = positions_in(box, 1000);
        for (Vector3& r : positions) {  // some just beyond
            for (std::size_t d = 0; d < 3; ++d) {
                double& x = d == 0 ? r.x : d == 1 ? r.y : r.z;
                if (!box.periodic[d] && std::abs(x) < 0.2) x = std::copysign(view.limit * (1.0 + 1e-12), x);
            }
        }
        std::erase_if(positions, [&](const Vector3& r) {
            return (box.periodic[0] || std::abs(r.x) <= view.limit) && (box.periodic[1] || std::abs(r.y) <= view.limit) &&
                   (box.periodic[2] || std::abs(r.z) <= view.limit);
        });
        ASSERT_GT(positions.size(), 300u);
        double largest = 0.0, largest_second = 0.0;
        for (std::size_t k = 0; k < positions.size(); ++k) {
            const Vector3& r = positions[k];
            const Derivatives expected = derivatives_at(sums[k % 2], {r.x, r.y, r.z});
            const Jet<double, 2> got = ewald_correction<2>(view, r.x, r.y, r.z, k % 2 == 1);
            const int order[] = {local_index(0, 0, 0), local_index(1, 0, 0), local_index(0, 1, 0), local_index(0, 0, 1),
                                 local_index(2, 0, 0), local_index(1, 1, 0), local_index(1, 0, 1), local_index(0, 2, 0),
                                 local_index(0, 1, 1), local_index(0, 0, 2)};
            for (std::size_t c = 0; c < component_count(2); ++c) {
                double& worst = c < first_component(2) ? largest : largest_second;
                worst = std::max(worst, std::abs(got.term[c] - expected[static_cast<std::size_t>(order[c])]));
            }
        }
        std::cout << name_of(box) << largest << ' ' << largest_second << '\n';
        EXPECT_LE(largest, 9e-10) << name_of(box);
        EXPECT_LE(largest_second, 5e-9) << name_of(box);
    }
}

TEST(EwaldTable, ErrorsFallWithNodesAndOrder) {
    for (const PeriodicBox& box : {cube, PeriodicBox{{2, 1, 1}, ppi}}) {
        TableErrors before{1e30, 1e30};
        for (const int order : {2, 3, 4, 5}) {
            const TableErrors errors = table_errors(box, 12, order, 0.0, 2);
            std::cout << "order " << order << ' ' << errors.potential << ' ' << errors.acceleration << ' ' << errors.tidal
                      << '\n';
            EXPECT_LE(errors.potential, 0.3 * before.potential) << order;
            EXPECT_LE(errors.acceleration, 0.3 * before.acceleration) << order;
            before = errors;
        }
        before = {1e30, 1e30};
        for (const int nodes : {4, 8, 16, 32}) {  // order 2: third and second order
            const TableErrors errors = table_errors(box, nodes, 2, 0.0, 2);
            std::cout << "nodes " << nodes << ' ' << errors.potential << ' ' << errors.acceleration << ' ' << errors.tidal
                      << '\n';
            EXPECT_LE(errors.potential, before.potential / 5.0) << nodes;
            EXPECT_LE(errors.acceleration, before.acceleration / 3.0) << nodes;
            before = errors;
        }
    }
}

class EwaldCache : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        options_.boundary.fill(Boundary::periodic);
        options_.domain = Box{{-1, -1, -1}, {1, 1, 1}};
        options_.ewald_nodes = 4;
        options_.ewald_order = 3;
        options_.softening = 0.01;
        options_.ewald_cache = (folder_ / "table.h5").string();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    static EwaldTable make(const Options& options) { return test::make_table(MPI_COMM_WORLD, options, 2); }

    static void expect_error(const Options& options, const std::string& text) {
        try {
            make(options);
            ADD_FAILURE() << "no error: " << text;
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::file);
            EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
            EXPECT_NE(std::string(error.what()).find(options.ewald_cache), std::string::npos) << error.what();
        }
    }

    const std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "ewald";
    Options options_;
};

TEST_F(EwaldCache, SameBits) {
    Options without = options_;
    without.ewald_cache.clear();
    const EwaldTable plain = make(without);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
    EXPECT_EQ(make(options_).polynomials(), plain.polynomials());
    EXPECT_TRUE(std::filesystem::exists(options_.ewald_cache));
    const auto written = std::filesystem::last_write_time(options_.ewald_cache);
    const EwaldTable read = make(options_);
    EXPECT_EQ(read.polynomials(), plain.polynomials());
    EXPECT_EQ(std::filesystem::last_write_time(options_.ewald_cache), written);
    const Jet<double, 1> a = ewald_correction(plain.view(), 0.2, -0.3, 0.4, true),
                         b = ewald_correction(read.view(), 0.2, -0.3, 0.4, true);
    EXPECT_EQ(a.term[0], b.term[0]);
    EXPECT_EQ(a.term[1], b.term[1]);
    EXPECT_NE(a.term[0], ewald_correction(read.view(), 0.2, -0.3, 0.4, false).term[0]);

    Options elsewhere = options_;  // a cube of another size is the same table
    elsewhere.domain = Box{{0, 0, 0}, {3e20, 3e20, 3e20}};
    elsewhere.softening = 1.5e18;
    EXPECT_EQ(make(elsewhere).polynomials(), plain.polynomials());
}

TEST_F(EwaldCache, OfOtherParameters) {
    make(options_);
    Options other = options_;
    other.ewald_nodes = 5;
    expect_error(other, "nodes");
    other = options_;
    other.ewald_order = 2;
    expect_error(other, "order");
    other = options_;
    other.softening = 0.02;
    expect_error(other, "softening");
    other = options_;
    other.domain->upper[1] = 2.0;
    expect_error(other, "side y");
    other = options_;
    other.boundary[2] = Boundary::isolated;
    expect_error(other, "periodic z");
    make(options_);  // the file is as it was
}

TEST_F(EwaldCache, DamagedFile) {
    std::ofstream(options_.ewald_cache) << "not a table";
    expect_error(options_, "");
    std::filesystem::remove(options_.ewald_cache);
    make(options_);
    std::filesystem::resize_file(options_.ewald_cache, std::filesystem::file_size(options_.ewald_cache) / 2);
    expect_error(options_, "");
    std::ofstream(options_.ewald_cache, std::ios::trunc).close();
    expect_error(options_, "");
}

// Well-formed files with other contents: no table is better than a wrong one.
TEST_F(EwaldCache, DamagedContents) {
    make(options_);
    const std::string good = options_.ewald_cache;
    const auto damaged = [&](const char* name, const auto& damage) {
        SCOPED_TRACE(name);
        options_.ewald_cache = (folder_ / "damaged.h5").string();
        std::filesystem::copy_file(good, options_.ewald_cache, std::filesystem::copy_options::overwrite_existing);
        {
            const Hdf5File file(options_.ewald_cache, Hdf5File::Mode::write);
            std::vector<double> values(file.shape(name)[0]);
            file.read(name, 0, values.size(), values);
            damage(values);
            file.write(name, 0, values.size(), values);
        }
        expect_error(options_, "the file can be deleted, and is then made anew");
    };
    for (const char* name : {"parameters", "polynomials"}) {
        damaged(name, [](std::vector<double>& values) { std::ranges::fill(values, 0.0); });
        damaged(name, [](std::vector<double>& values) { std::ranges::fill(values, NAN); });
        for (const std::size_t at : {0UL, 1UL, 9UL, 10UL})
            damaged(name, [&](std::vector<double>& values) {
                values[at] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(values[at]) ^ 1U);
            });
    }
    std::filesystem::remove(options_.ewald_cache);
    make(options_);
}

// One bit at a time, anywhere in the file.
TEST_F(EwaldCache, FlippedBits) {
    make(options_);
    const EwaldTable table = make(options_);
    std::fstream file(options_.ewald_cache, std::ios::binary | std::ios::in | std::ios::out);
    const auto size = static_cast<std::streamoff>(std::filesystem::file_size(options_.ewald_cache));
    const auto flip = [&](std::streamoff at) {
        file.seekg(at);
        const int byte = file.get();
        file.seekp(at);
        file.put(static_cast<char>(byte ^ 0x10));
        file.flush();
    };
    std::mt19937_64 random(1);
    for (int i = 0; i < 200; ++i) {
        const std::streamoff at = std::uniform_int_distribution<std::streamoff>(0, i % 2 == 0 ? 4096 : size - 1)(random);
        flip(at);
        try {
            EXPECT_EQ(make(options_).polynomials(), table.polynomials()) << "byte " << at;  // one that nobody reads
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::file) << error.what();
        }
        flip(at);
    }
}

TEST_F(EwaldCache, NoSuchFolder) {
    options_.ewald_cache = (folder_ / "missing" / "table.h5").string();
    expect_error(options_, "");
    options_.ewald_cache = folder_.string();
    expect_error(options_, "");
}

// A pipe would be waited for.
TEST_F(EwaldCache, NoFile) {
    ASSERT_EQ(mkfifo(options_.ewald_cache.c_str(), 0600), 0);
    expect_error(options_, "ewald_cache: " + options_.ewald_cache + ": it is a pipe");
}

TEST(FarKernel, IsTheSumLessTheImagesThatAreWalked) {
    const struct {
        PeriodicBox box;
        BoxPieces pieces;
    } cases[] = {{cube, {0.25, {4, 4, 4}}},
                 {{{1, 1, 1}, ppi}, {0.5, {2, 2, 2}}},
                 {{{1, 0.7, 0.6}, ppi}, {0.25, {4, 3, 3}}},
                 {{{1, 0.25, 0.25}, pii}, {0.25, {4, 1, 1}}},
                 {{{0.5, 1, 0.5}, ipi}, {0.5, {1, 2, 1}}}};
    for (const auto& [box, pieces] : cases) {
        const double softening = box.dimensions() == 2 ? 0.0 : 0.1 * box.shortest_period();
        const FarNodes nodes{9, 7.0};  // half a step beyond each face
        const std::vector<double> kernel = far_kernel(box, pieces, nodes, softening, 2, Narrator::to_nobody());
        const auto steps = static_cast<std::size_t>(nodes.differences());
        const std::size_t all =
            static_cast<std::size_t>(pieces.count[0] * pieces.count[1] * pieces.count[2]) * steps * steps * steps;
        ASSERT_EQ(kernel.size(), all);
        std::mt19937_64 random(1);
        std::uniform_int_distribution<std::size_t> any(0, all - 1);
        double largest = 0.0;
        for (int sample = 0; sample < 300; ++sample) {
            const std::size_t index = any(random);
            std::size_t step = index, piece = index / (steps * steps * steps);
            std::array<double, 3> r{};
            std::array<ImageRange, 3> walked;
            for (std::size_t d = 0; d < 3; ++d) {
                const std::size_t count = static_cast<std::size_t>(pieces.count[d]), difference = piece % count;
                r[d] = (static_cast<double>(difference) + (static_cast<double>(step % steps) - (nodes.count - 1)) / nodes.steps) *
                       pieces.side;
                walked[d] = pieces.walked(box, d, static_cast<int>(difference));
                step /= steps, piece /= count;
            }
            double expected = periodic_potential(box, {r[0], r[1], r[2]}, softening);
            for (int i = walked[0].first; i <= walked[0].last; ++i)
                for (int j = walked[1].first; j <= walked[1].last; ++j)
                    for (int k = walked[2].first; k <= walked[2].last; ++k)
                        expected -=
                            1.0 /
                            std::hypot(norm({r[0] + i * box.side[0], r[1] + j * box.side[1], r[2] + k * box.side[2]}), softening);
            if (!std::isfinite(expected)) continue;  // on an image
            largest = std::max(largest, std::abs(kernel[index] - expected));
        }
        EXPECT_LE(largest, 5e-14) << name_of(box);
    }
}

TEST(FarKernel, IsThatOfShearedImages) {
    const struct {
        PeriodicBox box;
        BoxPieces pieces;
    } cases[] = {{{{1, 1, 1}, ppp, 0.3}, {0.25, {4, 4, 4}}},
                 {{{1, 1, 1}, ppi, -0.5}, {0.5, {2, 2, 2}}},
                 {{{1, 0.7, 0.6}, ppi, 0.01}, {0.25, {4, 3, 3}}},
                 {{{0.25, 1, 0.5}, ppp, -0.41}, {0.25, {1, 4, 2}}},
                 {{{1, 0.2, 0.5}, ppi, 0.07}, {0.25, {4, 1, 2}}}};
    for (const auto& [box, pieces] : cases) {
        const double softening = box.dimensions() == 2 ? 0.0 : 0.1 * box.shortest_period();
        const FarNodes nodes{9, 7.0};
        const std::vector<double> kernel = far_kernel(box, pieces, nodes, softening, 2, Narrator::to_nobody());
        const KernelRows rows(box, pieces);
        const int steps = nodes.differences(), block = steps * steps * steps;
        ASSERT_EQ(kernel.size(), static_cast<std::size_t>(pieces.count[0] * rows.count * pieces.count[2] * block))
            << name_of(box);
        std::mt19937_64 random(1);
        double largest = 0.0;
        for (int sample = 0; sample < 300; ++sample) {
            const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
            const int dx = below(pieces.count[0]), row = below(rows.count), dz = below(pieces.count[2]), dy = row - rows.none,
                      sx = below(steps), sy = below(steps), sz = below(steps);
            const auto at = [&](int difference, int step) {
                return (difference + (step - (nodes.count - 1)) / nodes.steps) * pieces.side;
            };
            const Vector3 r{at(dx, sx), at(dy, sy), at(dz, sz)};
            double expected = periodic_potential(box, r, softening);
            for (int i = -9; i <= 9; ++i)
                for (int j = -25; j <= 25; ++j)
                    for (int k = box.periodic[2] ? -5 : 0; k <= (box.periodic[2] ? 5 : 0); ++k) {
                        const Vector3 by = box.image(i, j, k);
                        if (is_walked(dx, dx, by.x, pieces.side) && is_walked(dy, dy, by.y, pieces.side) &&
                            is_walked(dz, dz, by.z, pieces.side))
                            expected -= 1.0 / std::hypot(norm({r.x + by.x, r.y + by.y, r.z + by.z}), softening);
                    }
            if (!std::isfinite(expected)) continue;
            const std::size_t index = static_cast<std::size_t>((dz * rows.count + row) * pieces.count[0] + dx) * block +
                                      static_cast<std::size_t>((sz * steps + sy) * steps + sx);
            largest = std::max(largest, std::abs(kernel[index] - expected));
        }
        EXPECT_LE(largest, 5e-13) << name_of(box);
    }
}

// Every pair of pieces, in either order, sees the same images; those next to each other all that are near.
TEST(FarKernel, WalkedImages) {
    const BoxPieces pieces{0.25, {4, 3, 4}};
    const PeriodicBox box{{1, 0.7, 1}, ppi};
    for (std::size_t d = 0; d < 3; ++d) {
        for (int difference = -3; difference <= 3; ++difference) {
            const ImageRange range = pieces.walked(box, d, difference), mirrored = pieces.walked(box, d, -difference);
            if (range.last < range.first) {
                EXPECT_LT(mirrored.last, mirrored.first);
                continue;
            }
            EXPECT_EQ(range.first, -mirrored.last);
            EXPECT_EQ(range.last, -mirrored.first);
            for (int image = -5; image <= 5; ++image) {
                const bool is = is_walked(difference, difference, image * box.side[d], pieces.side);
                const bool exists = box.periodic[d] || image == 0;
                EXPECT_EQ(exists && is, range.first <= image && image <= range.last);
            }
        }
    }
}

}  // namespace
}  // namespace gravlet
