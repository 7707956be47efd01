// SPDX-License-Identifier: Apache-2.0
// Which arrays of blocks share memory: against a look at every byte, and at what hosts with many blocks have.
#include "solver/arrays/block_memory.hpp"
#include "solver/input/block_layout.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

/// Addresses that nobody reads.
constexpr std::uintptr_t base = std::uintptr_t{1} << 40;
template <class Real>
Real* at(std::size_t byte) {
    return reinterpret_cast<Real*>(base + byte);
}

/// Empty: they are apart.
std::string objection_to(const std::vector<Block>& blocks) {
    try {
        BlockMemory().look_through(blocks);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_input) << error.what();
        return error.what();
    }
    return "";
}

/// Byte by byte.
class Bytes {
public:
    [[nodiscard]] static bool are_shared(const std::vector<Block>& blocks) {
        Bytes results;
        bool shared = false;
        for (const Block& block : blocks) {
            if (!block.active) continue;
            for (const ResultPointer& array : result_arrays(block))
                shared |= results.add(elements(array, result_extent(block), block.result_guards, result_stride(block)));
            for (int d = 0; d < 3; ++d)
                shared |= results.add(elements(block.face_acceleration[static_cast<std::size_t>(d)], face_extent(block, d), {},
                                               face_stride(block, d)));
        }
        for (const Block& block : blocks) {
            const Elements density = elements(block.density, block.n, {}, block.stride);
            const bool in_place = block.active && std::ranges::any_of(result_arrays(block), [&](const ResultPointer& array) {
                                      return elements(array, block.n, {}, result_stride(block)) == density;
                                  });
            shared |= !in_place && results.has(density);
        }
        return shared;
    }

private:
    using Elements = std::vector<std::pair<std::uintptr_t, std::uintptr_t>>;  // from byte to byte, by cell

    static Elements elements(const InputPointer& array, const std::array<int, 3>& n, const std::array<int, 3>& below,
                             const Stride& stride) {
        Elements out;
        for (int k = 0; k < n[2] && array != nullptr; ++k)
            for (int j = 0; j < n[1]; ++j)
                for (int i = 0; i < n[0]; ++i) {
                    const auto first = reinterpret_cast<std::uintptr_t>(
                        (array + (i - below[0]) * stride[0] + (j - below[1]) * stride[1] + (k - below[2]) * stride[2]).address());
                    out.emplace_back(first, first + array.element_size());
                }
        return out;
    }
    bool add(const Elements& elements) {
        bool twice = false;
        for (const auto& [first, end] : elements)
            for (std::uintptr_t byte = first; byte < end; ++byte) twice |= !written_.insert(byte).second;
        return twice;
    }
    [[nodiscard]] bool has(const Elements& elements) const {
        return std::ranges::any_of(elements, [&](const auto& element) {
            const auto next = written_.lower_bound(element.first);
            return next != written_.end() && *next < element.second;
        });
    }

    std::set<std::uintptr_t> written_;
};

TEST(Apart, AsByteByByte) {
    std::mt19937_64 random(1);
    const auto any = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    int apart = 0, shared = 0;
    for (int set = 0; set < 20000; ++set) {
        const int room = any(20, 1200), grain = any(0, 3) == 0 ? 4 : 8;
        const auto stride = [&]() -> Stride {
            const int unit = any(1, 3), row = any(1, 6);
            Stride s{unit, unit * row, unit * row * any(1, 6)};
            std::ranges::shuffle(s, random);
            for (std::ptrdiff_t& step : s) step *= any(0, 5) == 0 ? -1 : 1;
            return any(0, 8) == 0 ? Stride{any(-9, 9), any(-9, 9), any(-9, 9)} : s;
        };
        const auto place = [&] { return static_cast<std::size_t>(4000 + grain * any(0, room)); };
        const auto result = [&]() -> ResultPointer {
            if (any(0, 4) == 0) return at<float>(place());
            return at<double>(place());
        };
        const Stride common = stride();
        std::vector<Block> blocks(static_cast<std::size_t>(any(1, 4)));
        bool good = true;
        for (Block& block : blocks) {
            block.n = {any(1, 3), any(1, 3), any(1, 3)};
            block.stride = any(0, 3) == 0 ? stride() : common;
            block.active = any(0, 6) != 0;
            block.density = any(0, 4) == 0 ? InputPointer(at<float>(place())) : InputPointer(at<double>(place()));
            if (any(0, 5) != 0) block.potential = result();
            if (any(0, 5) == 0) block.potential = at<double>(reinterpret_cast<std::uintptr_t>(block.density.address()) - base);
            if (any(0, 4) == 0) block.acceleration = {result(), result(), result()};
            if (any(0, 3) == 0) block.result_stride = stride();
            if (any(0, 5) == 0) block.result_guards = {any(0, 1), any(0, 1), any(0, 1)};
            if (any(0, 5) == 0) block.face_acceleration[static_cast<std::size_t>(any(0, 2))] = result();
            good = good && !has_cells_in_one_place(result_extent(block), result_stride(block));
        }
        if (!good) continue;
        const std::string objection = objection_to(blocks);
        ASSERT_EQ(objection.empty(), !Bytes::are_shared(blocks)) << "set " << set << ": " << objection;
        ++(objection.empty() ? apart : shared);
    }
    EXPECT_GT(apart, 1000);
    EXPECT_GT(shared, 1000);
}

constexpr int nx = 4, ny = 3, nz = 2;
constexpr std::size_t cells = nx * ny * nz, of_double = sizeof(double);

std::vector<Block> many(std::size_t count, const std::function<void(Block&, std::size_t)>& place) {
    std::vector<Block> blocks(count);
    for (std::size_t b = 0; b < count; ++b) {
        blocks[b].n = {nx, ny, nz};
        blocks[b].stride = {1, nx, nx * ny};
        place(blocks[b], b);
    }
    return blocks;
}

/// Two blocks of many get one result in one place.
void expect_noticed(std::vector<Block> blocks) {
    EXPECT_EQ(objection_to(blocks), "");
    blocks[71].potential = blocks[3].potential + blocks[3].stride[0];
    EXPECT_EQ(objection_to(blocks), "block 3: potential and potential of block 71 are in the same memory");
    blocks[71].active = false;
    EXPECT_EQ(objection_to(blocks), "");
    blocks[3].potential = ResultPointer(const_cast<double*>(blocks[71].density.doubles()));
    EXPECT_EQ(objection_to(blocks), "block 3: potential and density of block 71 are in the same memory");
}

TEST(Apart, EachArrayByItself) {
    expect_noticed(many(100, [](Block& block, std::size_t b) {
        block.density = at<double>(b * cells * of_double);
        block.potential = at<double>((200 - b) * cells * of_double);
    }));
}

TEST(Apart, VariablesOfOneArray) {
    constexpr std::size_t variables = 7;
    expect_noticed(many(100, [](Block& block, std::size_t b) {
        block.stride = {variables, variables * nx, variables * nx * ny};
        block.density = at<double>((b * cells * variables + 5) * of_double);
        block.potential = at<double>((b * cells * variables + 2) * of_double);
    }));
}

TEST(Apart, BlocksBetweenEachOther) {
    constexpr std::ptrdiff_t count = 100;  // the block's number is the fastest index
    expect_noticed(many(count, [](Block& block, std::size_t b) {
        block.stride = {2 * count, 2 * count * nx, 2 * count * nx * ny};
        block.density = at<double>(2 * b * of_double);
        block.potential = at<double>((2 * b + 1) * of_double);
    }));
}

TEST(Apart, PartsOfOneMesh) {
    constexpr std::ptrdiff_t row = 10 * nx, plane = row * 10 * ny;
    expect_noticed(many(100, [](Block& block, std::size_t b) {
        block.stride = {1, row, plane};
        const auto first = static_cast<std::ptrdiff_t>(b % 10) * nx + static_cast<std::ptrdiff_t>(b / 10) * ny * row;
        block.density = at<double>(static_cast<std::size_t>(first) * of_double);
        block.potential = at<double>(static_cast<std::size_t>(first + nz * plane) * of_double);
    }));
}

// The second block lies as the first does, but that its potential is wanted around it, too, where its density ends.
TEST(Apart, GuardsOfTheSecond) {
    std::vector<Block> blocks = many(2, [](Block& block, std::size_t b) {
        block.n = {nx, 1, 1};
        block.density = at<double>((8 + 40 * b) * of_double);
        block.potential = at<double>((8 + nx + 40 * b) * of_double);
    });
    EXPECT_EQ(objection_to(blocks), "");
    blocks[1].result_guards = {1, 0, 0};
    EXPECT_EQ(objection_to(blocks), "block 1: potential and density are in the same memory");
}

// A long array that begins before a short one, both before what points have between the long one's cells, or in one of them.
TEST(Apart, PointsInLongArrays) {
    std::vector<Block> blocks(2);
    blocks[0].n = {100, 1, 1}, blocks[0].stride = {2, 0, 0};
    blocks[0].density = at<double>(80'000), blocks[0].potential = at<double>(0);
    blocks[1].n = {1, 1, 1}, blocks[1].stride = {1, 0, 0};
    blocks[1].density = at<double>(90'000), blocks[1].potential = at<double>(3 * of_double);
    BlockMemory memory;
    memory.look_through(blocks);
    Input input;
    input.blocks = blocks.data(), input.block_count = blocks.size();
    for (const std::size_t element : {1, 3, 101, 102, 198, 199, 200}) {
        input.points.x = std::span<const double>(at<double>(element * of_double), 1);
        const bool apart = element % 2 == 1 ? element != 3 : element > 198;
        if (apart)
            EXPECT_NO_THROW(memory.require_others_apart(input)) << element;
        else
            EXPECT_THROW(memory.require_others_apart(input), Error) << element;
    }
}

TEST(Apart, FloatsAndDoubles) {
    // Single cells: a float between doubles, and halfway onto one.
    std::vector<Block> blocks(2);
    for (Block& block : blocks) block.n = {2, 1, 1}, block.stride = {1, 0, 0}, block.density = at<double>(800);
    blocks[0].stride = {2, 0, 0};
    blocks[0].potential = at<double>(0);
    blocks[1].potential = at<float>(8);
    EXPECT_EQ(objection_to(blocks), "");
    blocks[1].potential = at<float>(4);
    EXPECT_EQ(objection_to(blocks), "block 0: potential and potential of block 1 are in the same memory");
}

TEST(Apart, InPlaceOfTheDensity) {
    Block block;
    block.n = {nx, ny, nz};
    block.stride = {1, nx, nx * ny};
    block.density = at<double>(0);
    block.potential = at<double>(0);
    EXPECT_EQ(objection_to({block}), "");
    block.potential = at<double>(8);
    EXPECT_EQ(objection_to({block}), "block 0: potential and density are in the same memory");
    block.potential = at<float>(0);
    EXPECT_EQ(objection_to({block}), "block 0: potential and density are in the same memory");
    block.potential = at<double>(0);
    block.result_stride = {ny * nz, nz, 1};
    EXPECT_EQ(objection_to({block}), "block 0: potential and density are in the same memory");
}

}  // namespace
}  // namespace gravlet::test
