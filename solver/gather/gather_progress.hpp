// SPDX-License-Identifier: Apache-2.0
// How far each member of a group has come in writing the masses of its cells, in the memory that they share: the leader sends the
// first of them to its device while the others are still being written.
#pragma once

#include "solver/data/engine.hpp"
#include "solver/gather/gather_layout.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gravlet {

class GatherProgress {
public:
    /// Bytes of the shared memory; zeros at first.
    [[nodiscard]] static std::size_t bytes(int members) { return static_cast<std::size_t>(members) * line; }

    /// The progress of a gathering. `turn`: its number, above 0 and other than all before it in that memory.
    GatherProgress(std::byte* memory, std::uint32_t turn) : memory_(memory), turn_(turn) {}

    /// Notes, called by the member, that its first `cells` cells are there.
    void wrote(int member, std::size_t cells) const noexcept;
    /// Cells that a member has written, for anyone.
    [[nodiscard]] std::size_t written(int member) const noexcept;

private:
    static constexpr std::size_t line = 64;  ///< members do not share one
    [[nodiscard]] std::uint64_t& word(int member) const noexcept;

    std::byte* memory_;
    std::uint32_t turn_;
};

/// A leader's: what has been written so far, to its engine.
class SendAhead {
public:
    SendAhead(Engine& engine, const GatherLayout& layout, const GatherProgress& progress)
        : engine_(engine), begin_(layout.first_cells()), sent_(begin_.size() - 1), progress_(progress) {}
    /// Nothing of it stays under way if there is no solve.
    ~SendAhead() { engine_.end_ahead(); }
    SendAhead(const SendAhead&) = delete;
    SendAhead& operator=(const SendAhead&) = delete;

    /// Local. Sends what is there now. Returns whether that is all.
    bool some();
    /// Local. Sends all. Waits for the others, who must say that they have written all cells even if they have failed.
    void all();

private:
    Engine& engine_;
    std::vector<std::size_t> begin_, sent_;  ///< first cell of each member, and how many of its own are sent
    GatherProgress progress_;
};

}  // namespace gravlet
