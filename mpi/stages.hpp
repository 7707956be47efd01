// SPDX-License-Identifier: Apache-2.0
// A collective operation as a row of stages, each local or collective, so that what fails on one rank fails on all, with one code
// and one message, before anyone waits for a message that will never come.
//   local:       runs on this rank and may throw anything. What it throws is kept, and this rank's later local stages are
//                skipped: it goes straight to the next collective stage, where the others are going too.
//   collective:  all ranks agree first (one all-reduce). If one has failed, the lowest such rank tells its code and message, and
//                every rank throws them. If none has, the stage gets an Agreed, without which nobody can communicate. What it
//                catches itself or MPI reports to it is kept for the next agreement: the others are in the same calls.
// So a local stage cannot communicate, and a collective one has no reason to throw: what it needs was allocated before. Neither
// contains stages of the same row; a collective one may contain another row, of some of the ranks.
#pragma once

#include "mpi/communicator.hpp"
#include "mpi/narrator.hpp"

#include <gravlet/error.hpp>

#include <mpi.h>

#include <exception>
#include <string_view>
#include <type_traits>
#include <utility>

namespace gravlet {

class Stages;

/// The ranks, after they agreed that none has failed: what calls of MPI need that others wait for.
class Agreed {
public:
    [[nodiscard]] MPI_Comm get() const;
    [[nodiscard]] int rank() const;
    [[nodiscard]] int size() const;
    /// Keeps an error that MPI reports; `what` names the call.
    void check(int code, const char* what) const noexcept;

    template <class T>
    void all_reduce(T* values, int count, MPI_Op op) const noexcept {
        check(MPI_Allreduce(MPI_IN_PLACE, values, count, mpi_type<T>(), op, get()), "MPI_Allreduce");
    }
    template <class T>
    [[nodiscard]] T all_reduce(T value, MPI_Op op) const noexcept {
        all_reduce(&value, 1, op);
        return value;
    }
    /// Sum of the values of the ranks below this one.
    [[nodiscard]] long sum_before(long value) const noexcept {
        long before = 0;
        check(MPI_Exscan(&value, &before, 1, MPI_LONG, MPI_SUM, get()), "MPI_Exscan");
        return rank() == 0 ? 0 : before;
    }
    template <class T>
    void broadcast(T* values, int count, int root) const noexcept {
        check(MPI_Bcast(values, count, mpi_type<T>(), root, get()), "MPI_Bcast");
    }

private:
    friend class Stages;
    explicit Agreed(Stages& stages) : stages_(stages) {}
    Stages& stages_;
};

/// A struct of doubles becomes its sum over all ranks.
template <class Sum>
void add_up(const Agreed& all, Sum& sum) noexcept {
    static_assert(std::is_trivially_copyable_v<Sum> && sizeof(Sum) % sizeof(double) == 0);
    all.all_reduce(reinterpret_cast<double*>(&sum), static_cast<int>(sizeof(Sum) / sizeof(double)), MPI_SUM);
}

inline constexpr int no_rank = -1;

/// An Error that is not the rank's that finds it, but of what another one has brought (no_rank: of nobody's alone).
class OwnedError final : public Error {
public:
    OwnedError(ErrorCode code, std::string_view message, int owner) : Error(code, message), owner_(owner) {}
    [[nodiscard]] int owner() const noexcept { return owner_; }

private:
    int owner_;
};

/// What failed on some rank, as it travels and as a rank can keep it when memory has run out.
struct Outcome {
    int code = 0;         ///< number of an ErrorCode; 0: nothing failed
    int rank = no_rank;   ///< rank that failed, among those that agreed
    int owner = no_rank;  ///< owner of the error: see OwnedError
    char message[2036] = "";

    Outcome() = default;
    Outcome(ErrorCode error, const char* text) noexcept;  ///< the text is cut to what there is room for
    /// The outcome of what was caught, in all its words.
    explicit Outcome(const std::exception_ptr& caught) noexcept;
};

/// An Error that ranks have agreed on. It says which of them failed, or brought what is wrong, if there are several: here the
/// text that all users read is put together.
class AgreedError final : public Error {
public:
    explicit AgreedError(const Outcome& outcome);
    /// Rank and owner of the outcome.
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int owner() const noexcept { return owner_; }
    /// The text of the rank that failed: what() without the rank.
    [[nodiscard]] const char* text() const noexcept { return what() + text_begin_; }

private:
    struct Words;
    AgreedError(const Outcome& outcome, const Words& words);
    int rank_, owner_;
    std::size_t text_begin_;
};

/// What was caught, as an Error.
Error as_error(const std::exception_ptr& caught);

/// A row of stages, which lives as long as the operation, on all ranks.
class Stages {
public:
    explicit Stages(MPI_Comm comm) noexcept;
    explicit Stages(const Communicator& comm, Narrator& narrator = Narrator::to_nobody()) noexcept
        : comm_(comm.get()), rank_(comm.rank()), size_(comm.size()), narrator_(narrator) {}
    Stages(const Stages&) = delete;
    Stages& operator=(const Stages&) = delete;

    template <class F>
    void local(F&& f) noexcept {
        if (failed()) return;
        try {
            std::forward<F>(f)();
        } catch (...) {
            keep(std::current_exception());
        }
    }

    template <class F>
    void collective(F&& f) {
        agree();
        try {
            std::forward<F>(f)(Agreed(*this));
        } catch (...) {
            keep(std::current_exception());
        }
    }

    /// Collective. Throws the same Error on every rank if one has failed.
    void agree();
    /// Local. Ends the row, with no agreement after it: what MPI reported of the last one is thrown on this rank alone.
    void finish();
    /// The failure of the last stage, taken away from here, if failed().
    [[nodiscard]] Error last_failure();

    [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }
    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }
    /// Narrator of the call that this row belongs to.
    [[nodiscard]] Narrator& narrator() const noexcept { return narrator_; }

private:
    friend class Agreed;
    void keep(std::exception_ptr failure) noexcept {
        if (!failed()) failure_ = std::move(failure);
    }
    void check(int code, const char* what) noexcept;

    MPI_Comm comm_;
    int rank_ = 0, size_ = 1;
    Narrator& narrator_;
    std::exception_ptr failure_;
};

inline MPI_Comm Agreed::get() const { return stages_.comm_; }
inline int Agreed::rank() const { return stages_.rank_; }
inline int Agreed::size() const { return stages_.size_; }
inline void Agreed::check(int code, const char* what) const noexcept { stages_.check(code, what); }

}  // namespace gravlet
