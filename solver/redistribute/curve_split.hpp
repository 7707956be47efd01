// SPDX-License-Identifier: Apache-2.0
// Which rank solves for which body: all ranks' bodies in the order of their keys, cut into a run for each rank, of equal lengths.
//   1. sort: every rank sorts the keys of what it brings (each thread some of them: nobody needs one order of all);
//   2. cut: where the runs begin is counted, not guessed from a sample: bodies below each octant of the root cube, then below
//      those of the octants that the cuts are in, and so on down the curve, for all cuts at once;
//   3. split: the bodies for each rank, cells first.
// Bodies of one key stay together, so that two cells at one place meet, and runs do not depend on who brought what. Where all
// ranks' keys are those of the last solve, so is the split.
#pragma once

#include "mpi/stages.hpp"
#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gravlet {

class CurveSplit {
public:
    /// Local, like sort() and split(). `keep`: a split as in the last solve is not made anew.
    CurveSplit(int ranks, int threads, bool keep);

    void sort(const Input& input, const Frame& frame);
    /// Allocates nothing.
    void cut(const Agreed& all);
    void split(const Input& input);

    /// Indices of what this rank brings, in the order in which it goes to ranks 0, 1, ...
    [[nodiscard]] std::span<const cell_index> order() const { return order_; }
    /// Cells and points for a rank.
    [[nodiscard]] std::size_t cells_for(std::size_t rank) const { return cells_[rank]; }
    [[nodiscard]] std::size_t points_for(std::size_t rank) const { return begin_[rank + 1] - begin_[rank] - cells_[rank]; }
    [[nodiscard]] std::size_t bytes() const {
        return sorted_.capacity() * sizeof(KeyedBody) + order_.capacity() * sizeof(cell_index);
    }

private:
    struct KeyedBody {
        key_type key;
        cell_index index;
    };
    using Run = std::span<const KeyedBody>;

    [[nodiscard]] bool has_keys_of(const Input& input, const Frame& frame, int levels) const;
    [[nodiscard]] Run run(std::size_t thread) const;
    [[nodiscard]] std::size_t below(std::size_t thread, key_type key) const;

    std::size_t threads_;
    bool keep_;
    int levels_ = 0;  ///< levels of the keys
    std::size_t split_cells_ = 0;
    bool is_split_ = false;  ///< order_ is that of sorted_
    bool kept_ = false;      ///< whether all is as in the last solve; from cut() on, on all ranks
    std::vector<KeyedBody> sorted_;
    std::vector<key_type> cuts_;  ///< the first key of ranks 1, 2, ...
    std::vector<long> counts_;    ///< numbers of bodies below the seven places where a cut may be moved to
    std::vector<cell_index> order_;
    std::vector<std::size_t> begin_, cells_;
};

}  // namespace gravlet
