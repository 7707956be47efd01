// SPDX-License-Identifier: Apache-2.0
// Gathering from, and results to, memory that host code cannot read, as a device's is: here pages that nobody may touch, which
// the engine's DeviceAccess reads and writes for it.
#include "tests/mpi/gather.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

/// Memory that only fetch() and store() reach, as a device's; host code that touches it fails.
class Elsewhere final : public DeviceAccess {
public:
    Elsewhere() : base_(static_cast<char*>(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))), behind_(size) {}
    ~Elsewhere() override { munmap(base_, size); }
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;

    template <class T>
    T* bring(const std::vector<T>& values) {
        char* const at = base_ + used_;
        std::memcpy(behind(at), values.data(), values.size() * sizeof(T));
        used_ += (values.size() * sizeof(T) + 63) / 64 * 64;
        return reinterpret_cast<T*>(at);
    }
    template <class T>
    [[nodiscard]] std::vector<T> read(const T* from, std::size_t n) const {
        const T* const there = reinterpret_cast<const T*>(behind(from));
        return {there, there + n};
    }
    [[nodiscard]] bool on_device(const void* at) const override { return at >= base_ && at < base_ + size; }
    void fetch(const void* from, void* to, std::size_t bytes) const override { std::memcpy(to, behind(from), bytes); }
    void store(const void* from, void* to, std::size_t bytes) const override { std::memcpy(behind(to), from, bytes); }
    void describe_blocks(const Input& input, int) override { blocks_ = {input.blocks, input.blocks + input.block_count}; }
    void fetch_densities(double* to) override {
        for (const Block& b : blocks_)
            each(b, b.stride, b.density.element_size(), [&](std::ptrdiff_t at) {
                const char* const from = behind(b.density.address()) + at;
                *to++ = b.density.is_single() ? number<float>(from) : number<double>(from);
            });
    }
    void store_results(std::size_t component, const double* from) override {
        for (const Block& b : blocks_) {
            const ResultPointer array = result_array(b, component);
            each(b, result_stride(b), array.element_size(), [&](std::ptrdiff_t at) {
                const double value = *from++;
                const float single = static_cast<float>(value);
                std::memcpy(behind(array.address()) + at,
                            array.is_single() ? static_cast<const void*>(&single) : static_cast<const void*>(&value),
                            array.element_size());
            });
        }
    }

private:
    static constexpr std::size_t size = 1 << 20;

    [[nodiscard]] char* behind(const void* at) const { return behind_.data() + (static_cast<const char*>(at) - base_); }
    template <class T>
    static double number(const char* at) {
        T value;
        std::memcpy(&value, at, sizeof value);
        return value;
    }
    /// Calls f(bytes from the array's start) for each cell of a block, in order.
    template <class F>
    static void each(const Block& b, const Stride& stride, std::size_t bytes, F f) {
        for (int k = 0; k < b.n[2]; ++k)
            for (int j = 0; j < b.n[1]; ++j)
                for (int i = 0; i < b.n[0]; ++i)
                    f((i * stride[0] + j * stride[1] + k * stride[2]) * static_cast<std::ptrdiff_t>(bytes));
    }

    char* base_;
    mutable std::vector<char> behind_;
    std::vector<Block> blocks_;
    std::size_t used_ = 0;
};

/// What rank r brings: points, a block of 3 x 4 x 5 cells of side 1/8 with one guard cell beside it in each direction, and which
/// of the points are active.
template <class T>
struct Brought {
    static constexpr std::array<int, 3> n{3, 4, 5};
    static constexpr Stride stride{1, 5, 30};
    std::vector<T> x, y, z, mass, density = std::vector<T>(30 * 7, T(-1));
    std::vector<std::uint8_t> active;

    explicit Brought(int r) {
        std::mt19937_64 random(static_cast<std::uint64_t>(40 + r));
        std::uniform_real_distribution<T> uniform;
        for (int i = 0; i < 40 + 7 * r; ++i) {
            x.push_back(uniform(random)), y.push_back(uniform(random)), z.push_back(2 + uniform(random));
            mass.push_back(uniform(random)), active.push_back(i % 3 != r % 3);
        }
        for (int c = 0; c < 60; ++c) density[at(c)] = uniform(random);
    }
    static std::size_t at(int c) { return static_cast<std::size_t>(36 + c % 3 + c / 3 % 4 * 5 + c / 12 * 30); }
    static std::array<double, 3> cell(int c, int r) { return {(c % 3 + 0.5) / 8 + r, (c / 3 % 4 + 0.5) / 8, (c / 12 + 0.5) / 8}; }
    [[nodiscard]] double mass_of(int c) const { return density[at(c)] / 512.0; }
};

/// Sum m/r, and its gradient, over what all ranks bring.
template <class T>
std::array<double, 4> sum_at(const std::array<double, 3>& at) {
    std::array<double, 4> sum{};
    const auto add = [&](double m, double x, double y, double z) {
        const std::array<double, 3> d{x - at[0], y - at[1], z - at[2]};
        const double r = std::hypot(d[0], d[1], d[2]);
        if (r == 0.0) return;
        sum[0] -= m / r;
        for (std::size_t k = 0; k < 3; ++k) sum[1 + k] += m * d[k] / (r * r * r);
    };
    for (int r = 0; r < world_size(); ++r) {
        const Brought<T> all(r);
        for (std::size_t i = 0; i < all.x.size(); ++i) add(all.mass[i], all.x[i], all.y[i], all.z[i]);
        for (int c = 0; c < 60; ++c)
            add(all.mass_of(c), Brought<T>::cell(c, r)[0], Brought<T>::cell(c, r)[1], Brought<T>::cell(c, r)[2]);
    }
    return sum;
}

// In a device's memory: points, of which some are not active, and blocks, in doubles and in floats.
template <class T>
void expect_right_elsewhere(bool some_active, double bound) {
    const Communicator comm(MPI_COMM_WORLD);
    const Options options{.theta = 0.0, .self_potential = false, .threads = 1};
    auto owned = std::make_unique<Elsewhere>();
    Elsewhere& device = *owned;
    std::unique_ptr<GatherEngine> engine;
    {
        Stages stages(comm);
        engine = prepared_engine(
            stages,
            [&] {
                return std::make_unique<GatherEngine>(
                    comm, options, 1,
                    [=](const Communicator& leaders, int threads, Narrator&) { return cpu_engine(leaders, options, threads); },
                    std::move(owned));
            },
            0);
    }
    const Brought<T> mine(world_rank());
    const std::size_t n = mine.x.size();
    constexpr T before = -77;
    const auto bring = [&](const std::vector<T>& values) { return std::span<const T>(device.bring(values), values.size()); };
    Points points{bring(mine.x), bring(mine.y), bring(mine.z), bring(mine.mass)};
    if (some_active) points.active = mine.active;
    std::array<T*, 4> of_points{}, of_cells{};
    for (T*& to : of_points) to = device.bring(std::vector<T>(n, before));
    for (T*& to : of_cells) to = device.bring(std::vector<T>(mine.density.size(), before));
    const auto result = [&](T* to) { return std::span<T>(to, n); };
    Input input =
        make_input({}, {}, points, {result(of_points[0]), {result(of_points[1]), result(of_points[2]), result(of_points[3])}});
    Block block{.lower = {1.0 * world_rank(), 0.0, 0.0}, .cell_size = {0.125, 0.125, 0.125}, .n = mine.n, .stride = mine.stride};
    block.density = device.bring(mine.density) + 36;
    block.potential = of_cells[0] + 36;
    block.acceleration = {of_cells[1] + 36, of_cells[2] + 36, of_cells[3] + 36};
    std::vector<std::size_t> begin;
    input.blocks = &block, input.block_count = 1;
    lay_out_blocks(input, begin);
    solve(*engine, comm, input);

    double worst = 0.0;
    std::array<std::vector<T>, 4> points_have, cells_have;
    for (std::size_t k = 0; k < 4; ++k) {
        points_have[k] = device.read(of_points[k], n);
        cells_have[k] = device.read(of_cells[k], mine.density.size());
    }
    const auto compare = [&](const std::array<double, 3>& at, std::size_t i, const std::array<std::vector<T>, 4>& have) {
        const std::array<double, 4> exact = sum_at<T>(at);
        const double field = std::hypot(exact[1], exact[2], exact[3]);
        for (std::size_t k = 0; k < 4; ++k)
            worst = std::max(worst, std::abs(have[k][i] - exact[k]) / (k == 0 ? std::abs(exact[0]) : field));
    };
    for (std::size_t i = 0; i < n; ++i) {
        if (!some_active || mine.active[i] != 0) {
            compare({mine.x[i], mine.y[i], mine.z[i]}, i, points_have);
        } else {
            for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(points_have[k][i], before);
        }
    }
    for (int c = 0; c < 60; ++c) compare(mine.cell(c, world_rank()), mine.at(c), cells_have);
    for (const std::vector<T>& have : cells_have) EXPECT_EQ(std::ranges::count(have, before), 30 * 7 - 60);
    EXPECT_LE(worst, bound);
}

TEST(GatherElsewhere, PointsAndBlocks) {
    for (const bool some_active : {false, true}) {
        expect_right_elsewhere<double>(some_active, 4e-15);
        expect_right_elsewhere<float>(some_active, 1.5e-7);
    }
}

}  // namespace
}  // namespace gravlet::test
