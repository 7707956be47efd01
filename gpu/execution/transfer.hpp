// SPDX-License-Identifier: Apache-2.0
// The caller's arrays on the device: those that are there already are used where they are, the others are copied in and, if they
// are results, copied out.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/staging.hpp"
#include "solver/data/input.hpp"

#include <optional>
#include <vector>

namespace gravlet {

class GpuTransfer {
public:
    explicit GpuTransfer(const Gpu& gpu);

    /// Local. The input as device code may read and write it, until the next call.
    Input bring_in(const Input& input);
    /// Local. Results that are not on the device already go to the caller's arrays.
    void bring_out(const Input& input);

private:
    /// Of doubles, or of twice as many floats.
    using Numbers = DeviceBuffer<double>;

    InputSpan bring_in(const InputSpan& array, Numbers& here);
    std::span<const std::uint8_t> bring_in(std::span<const std::uint8_t> flags, DeviceBuffer<std::uint8_t>& here);
    ResultSpan result(const ResultSpan& array, Numbers& here);
    Fields results(const Fields& fields, std::vector<Numbers>& here);
    void bring_out(const Fields& fields, std::span<const std::uint8_t> active, std::vector<Numbers>& here);
    bool take_changes(const Input& input);
    void bring_in_blocks(const Input& input, Input& out);
    void upload_blocks(const Input& input, ResultPointer there);
    void bring_out_blocks(const Input& input);
    void bring_out_guards(const Input& input);
    [[nodiscard]] bool on_device(const void* array) const;

    Gpu gpu_;
    Staging staging_;
    std::vector<Numbers> cells_, points_, cell_results_, point_results_, guard_results_;
    DeviceBuffer<std::uint8_t> cell_active_, point_active_;
    std::array<ResultPointer, result_count> block_results_;  ///< in cell_results_, where blocks are not on the device
    DeviceBuffer<Block> blocks_;
    DeviceBuffer<std::size_t> block_begin_, guard_begin_;
    PinnedBuffer<Block> host_blocks_;
    std::optional<std::size_t> blocks_there_;   ///< so many of host_blocks_, as they are, and their beginnings
    unsigned wanted_bits_ = 0, face_bits_ = 0;  ///< results that some of them wants
};

}  // namespace gravlet
