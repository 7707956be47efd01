// SPDX-License-Identifier: Apache-2.0
// Spoilt snapshots in GADGET-2's binary format: marks, counts and values of the header among them.
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/tools/snapshots/made_snapshot.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>

namespace gravlet::test {
namespace {

namespace fs = std::filesystem;

/// Puts a number that may be one of bytes, of points or of files in any place of the beginning.
std::string spoil_number(Dice& dice, std::string& bytes) {
    constexpr std::array<std::uint32_t, 9> numbers{0, 1, 2, 4, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff};
    const std::uint32_t number = dice.one_of(numbers);
    const std::size_t place = 4 * dice.below(std::min<std::size_t>(bytes.size(), 400) / 4);
    std::memcpy(&bytes[place], &number, sizeof(number));
    return fmt::format("{} at byte {}", number, place);
}

TEST(FuzzGadget, Binary) {
    const fs::path folder = fs::temp_directory_path() / "fuzz_gadget";
    fs::create_directories(folder);
    const std::string spoilt = (folder / "spoilt").string();
    fuzz(
        [&](Dice& dice) {
            Draw draw(dice.below(50));
            MadeSnapshot s = draw_snapshot(draw);
            s.files.resize(1);
            const BinaryStyle style{.named = dice.once_in(2), .big_endian = dice.once_in(2)};
            std::string bytes = binary_file(s, 0, style), what = fmt::format("format {}: ", style.named ? 2 : 1);
            if (dice.once_in(2)) {
                spoil_bytes(dice, bytes);
                what += "bytes";
            } else {
                what += spoil_number(dice, bytes);
            }
            write_bytes(spoilt, bytes);
            return what;
        },
        [&] { (void)read_snapshot(MPI_COMM_SELF, spoilt, PointData::all, {}); });
    fs::remove_all(folder);
}

}  // namespace
}  // namespace gravlet::test
