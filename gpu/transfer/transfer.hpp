// SPDX-License-Identifier: Apache-2.0
// The caller's arrays on the device: those that are there already are used where they are, the others are copied in and, if they
// are results, copied out.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/pinned_copies.hpp"
#include "gpu/transfer/few_results.hpp"
#include "solver/input/input.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace gravlet {

class GpuTransfer {
public:
    explicit GpuTransfer(const Gpu& gpu);

    /// Local. The input as device code may read and write it, until the next call. `known`: the last one's was of as many bodies,
    /// of which those have changed that `input` says; what of the others is in copies here is not copied again.
    Input bring_in(const Input& input, bool known = false);
    /// Local. Results that are not on the device already go to the caller's arrays.
    void bring_out(const Input& input);

    // As Engine's, where densities are page-locked: the host has nothing to do with their copies. If not all have been brought
    // ahead, bring_in() brings all.
    [[nodiscard]] bool begin_ahead(const Input& input);
    void bring_ahead(std::size_t first, std::size_t count);
    void end_ahead() noexcept;

private:
    /// A buffer of doubles, or of twice as many floats.
    using Numbers = DeviceBuffer<double>;

    /// A caller's array in a copy.
    struct Copy {
        explicit Copy(GpuContext& context) : numbers(context) {}
        Numbers numbers;
        std::size_t held = 0;  ///< how many numbers it holds; 0: it is not known
        bool single = false;   ///< whether these are floats
    };
    /// What of an array goes to its copy.
    struct Range {
        std::size_t begin, end;
    };

    /// What blocks_, block_begin_ and guard_begin_ hold.
    struct BlocksThere {
        std::uint64_t version = 0;  ///< Input::blocks_version
        bool arrays_there = false;  ///< whether arrays are on the device: the caller's are used
        /// Density and results of all blocks in copies on the device, where the caller's are not used; the latter in
        /// cell_results_.
        ResultPointer density;
        std::array<ResultPointer, result_count> results{};
        bool density_single = false;
        std::array<bool, result_count> result_single{};
        /// The caller's arrays, where they are in order: see in_order().
        InputPointer density_in_order;
        std::array<ResultPointer, result_count> result_in_order{};

        bool operator==(const BlocksThere&) const = default;
    };

    /// What of `n` bodies has changed, of which flags are of `changed`; all, if it is not known.
    [[nodiscard]] static Range changed_of(std::span<const std::uint8_t> changed, std::size_t n, bool known);
    InputSpan bring_in(const InputSpan& array, const Range& changed, Copy& here);
    InputSpan bring_in(const InputSpan& array, Copy& here) { return bring_in(array, {0, array.size()}, here); }
    std::span<const std::uint8_t> bring_in(std::span<const std::uint8_t> flags, DeviceBuffer<std::uint8_t>& here);
    ResultSpan result(const ResultSpan& array, Numbers& here);
    Fields results(const Fields& fields, std::vector<Numbers>& here);
    void take_few(const Fields& fields, std::span<const std::uint8_t> active, FewResults& few);
    void bring_out(const Fields& fields, std::span<const std::uint8_t> active, FewResults* few, std::vector<Numbers>& here);
    void bring_in_blocks(const Input& input, bool known, Input& out);
    void bring_in_arrays(const Input& input, bool known, const Range& changed, BlocksThere& now, Input& out);
    void describe_blocks(const Input& input, const BlocksThere& now);
    void upload_blocks(const Input& input, const Range& cells, const BlocksThere& now);
    void bring_out_blocks(const Input& input);
    void bring_out_guards(const Input& input);
    [[nodiscard]] bool on_device(const void* array) const;

    Gpu gpu_;
    PinnedCopies copies_;
    std::vector<Copy> cells_, points_, velocities_, probes_;
    std::vector<Numbers> cell_results_, point_results_, probe_results_, guard_results_;
    FewResults few_cells_, few_points_;
    Numbers density_;
    DeviceBuffer<std::uint8_t> changed_, cell_active_, point_active_, cell_class_, point_class_;
    DeviceBuffer<Block> blocks_;
    DeviceBuffer<std::size_t> block_begin_, guard_begin_;
    PinnedBuffer<Block> host_blocks_;
    BlocksThere blocks_there_;
    bool density_known_ = false;  ///< whether density_ holds that of the blocks of the last solve
    std::size_t ahead_ = 0;       ///< cells whose densities have been brought ahead
};

}  // namespace gravlet
