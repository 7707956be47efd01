// SPDX-License-Identifier: Apache-2.0
// A duplicated communicator that frees itself, and the check of what MPI reports.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>

namespace gravlet {

/// Throws Error(communication) with MPI's own words. `what` names the call. For what no other rank waits for; what others wait
/// for is called in a collective stage (mpi/stages.hpp) or communicate() (mpi/agreement.hpp).
void mpi_check(int code, const char* what);

// Local, and asked of what is a communicator: these cannot fail.
[[nodiscard]] int rank_in(MPI_Comm comm) noexcept;
[[nodiscard]] int size_of(MPI_Comm comm) noexcept;

enum class Tag : int { nodes = 1, moments, sources, ring, wake, boxes, announcements, precise_moments, precise_sources };

/// Owns a duplicate of a communicator, with MPI errors returned rather than fatal.
class Communicator {
public:
    Communicator() = default;  ///< a communicator of no ranks
    /// Collective. Allocates nothing. Throws Error(communication) if there is no MPI or this is no communicator of one group.
    explicit Communicator(MPI_Comm comm);
    ~Communicator() { release(); }
    Communicator(Communicator&& other) noexcept { *this = std::move(other); }
    Communicator& operator=(Communicator&& other) noexcept;

    [[nodiscard]] MPI_Comm get() const { return comm_; }
    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    /// Ranks of this communicator on this machine.
    [[nodiscard]] int ranks_on_node() const { return ranks_on_node_; }
    /// This rank's place among the ranks of its machine.
    [[nodiscard]] int rank_on_node() const { return rank_on_node_; }

private:
    void release() noexcept;

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1, ranks_on_node_ = 1, rank_on_node_ = 0;
};

/// Whether MPI can still be called: not before MPI_Init, nor after MPI_Finalize.
bool mpi_is_running() noexcept;

/// A number of bytes as an MPI datatype, so that counts of records never overflow an int.
class RecordType {
public:
    explicit RecordType(std::size_t bytes);
    ~RecordType();
    RecordType(const RecordType&) = delete;
    RecordType& operator=(const RecordType&) = delete;
    [[nodiscard]] MPI_Datatype get() const { return type_; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
    std::size_t bytes_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

template <class T>
MPI_Datatype mpi_type();
template <>
inline MPI_Datatype mpi_type<double>() {
    return MPI_DOUBLE;
}
template <>
inline MPI_Datatype mpi_type<long>() {
    return MPI_LONG;
}
template <>
inline MPI_Datatype mpi_type<int>() {
    return MPI_INT;
}
template <>
inline MPI_Datatype mpi_type<char>() {
    return MPI_CHAR;
}

}  // namespace gravlet
