// SPDX-License-Identifier: Apache-2.0
// The messages of a redistributed solve: bodies to the ranks that solve for them, and their results back the way they came.
//   1. pack, announce, make_room, send: each body with all that a solve asks of it, and with what errors are to call it;
//   2. unpack: what has come, as the Input that a caller would have passed, whose results are kept here;
//   3. pack_results, send_back, store: a row of results for each body that came, to the place of the caller's body that it was.
// All ranks are in the same all-to-all calls, which no rank can leave waiting, since nothing else is to be done meanwhile.
#pragma once

#include "mpi/communicator.hpp"
#include "mpi/stages.hpp"
#include "solver/gather/gather_layout.hpp"
#include "solver/input/input.hpp"
#include "solver/redistribute/curve_split.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace gravlet {

class HandOver {
public:
    /// A hand-over among the ranks of `comm`. Functions are local but for announce(), send() and send_back(), which allocate
    /// nothing.
    HandOver(const Communicator& comm, int threads);

    void pack(const Input& from, const CurveSplit& split);
    void announce(const Agreed& all);
    void make_room();
    void send(const Agreed& all);

    /// `derivatives`: the most that some rank wants.
    void unpack(int derivatives);
    [[nodiscard]] const Input& input() const { return input_; }

    void pack_results();
    void send_back(const Agreed& all);
    /// Writes what is wanted and active. Allocates nothing.
    void store(const Input& to, const CurveSplit& split) const;

    /// Bytes sent by this rank to others, in both directions.
    [[nodiscard]] std::size_t bytes_sent() const;
    [[nodiscard]] std::size_t bytes() const {
        return sent_.capacity() + received_.capacity() + memory_.capacity() + origins_.capacity() * sizeof(BodyOrigin);
    }

private:
    /// A body on its way.
    struct Record {
        Body body;
        BodyOrigin origin;
        std::uint16_t active, source_class;
    };
    /// What goes to each rank, or comes from it, in records.
    struct Messages {
        std::vector<long> cells_and_points;  ///< a pair a rank
        std::vector<int> counts, begin;

        explicit Messages(std::size_t ranks) : cells_and_points(2 * ranks), counts(ranks), begin(ranks) {}
        /// Throws Error(out_of_memory) if there are more than MPI counts. Returns their sum.
        std::size_t count();
    };

    [[nodiscard]] std::size_t row() const { return component_count(input_.derivatives); }
    static void exchange(const Agreed& all, const std::vector<std::byte>& from, const Messages& going, std::vector<std::byte>& to,
                         const Messages& coming, const RecordType& type);
    template <class F>
    void for_received(F f) const;

    const Communicator& comm_;
    int threads_;
    RecordType record_;
    std::array<RecordType, field_names.size()> rows_;  ///< rows of results, by their derivatives
    Messages outgoing_, incoming_;
    std::size_t cells_ = 0, points_ = 0;      ///< cells and points that have come
    std::vector<std::byte> sent_, received_;  ///< records; then, the other way, rows of results
    std::vector<std::byte> memory_;           ///< memory of the arrays
    GatherArrays arrays_;
    std::vector<BodyOrigin> origins_;
    Input input_;
};

}  // namespace gravlet
