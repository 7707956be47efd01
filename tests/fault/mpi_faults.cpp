// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/mpi_faults.hpp"

#include <mpi.h>

namespace gravlet::test {
namespace {

constinit Countdown after, instead;

int reported(int code, const char* call) { return after.hit(call) ? MPI_ERR_OTHER : code; }

}  // namespace

Countdown& mpi_failing_after() { return after; }
Countdown& mpi_failing_instead() { return instead; }

}  // namespace gravlet::test

#define GRAVLET_AFTER(name, parameters, arguments) \
    extern "C" int name parameters { return gravlet::test::reported(P##name arguments, #name); }

#define GRAVLET_AFTER_OR_INSTEAD(name, parameters, arguments)        \
    extern "C" int name parameters {                                 \
        if (gravlet::test::instead.hit(#name)) return MPI_ERR_OTHER; \
        return gravlet::test::reported(P##name arguments, #name);    \
    }

GRAVLET_AFTER(MPI_Allgather, (const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype other, MPI_Comm comm),
              (from, n, type, to, m, other, comm))
GRAVLET_AFTER(MPI_Allgatherv,
              (const void* from, int n, MPI_Datatype type, void* to, const int* counts, const int* offsets, MPI_Datatype other,
               MPI_Comm comm),
              (from, n, type, to, counts, offsets, other, comm))
GRAVLET_AFTER(MPI_Allreduce, (const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (from, to, n, type, op, comm))
GRAVLET_AFTER(MPI_Alltoall, (const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype other, MPI_Comm comm),
              (from, n, type, to, m, other, comm))
GRAVLET_AFTER(MPI_Alltoallv,
              (const void* from, const int* counts, const int* offsets, MPI_Datatype type, void* to, const int* to_counts,
               const int* to_offsets, MPI_Datatype other, MPI_Comm comm),
              (from, counts, offsets, type, to, to_counts, to_offsets, other, comm))
GRAVLET_AFTER(MPI_Bcast, (void* data, int n, MPI_Datatype type, int root, MPI_Comm comm), (data, n, type, root, comm))
GRAVLET_AFTER(MPI_Cancel, (MPI_Request * request), (request))
GRAVLET_AFTER(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm* copy), (comm, copy))
GRAVLET_AFTER(MPI_Comm_free, (MPI_Comm * comm), (comm))
GRAVLET_AFTER(MPI_Comm_rank, (MPI_Comm comm, int* rank), (comm, rank))
GRAVLET_AFTER(MPI_Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler))
GRAVLET_AFTER(MPI_Comm_size, (MPI_Comm comm, int* size), (comm, size))
GRAVLET_AFTER(MPI_Comm_split, (MPI_Comm comm, int colour, int key, MPI_Comm* part), (comm, colour, key, part))
GRAVLET_AFTER(MPI_Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part),
              (comm, type, key, info, part))
GRAVLET_AFTER(MPI_Exscan, (const void* from, void* to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
              (from, to, n, type, op, comm))
GRAVLET_AFTER(MPI_Iallgather,
              (const void* from, int n, MPI_Datatype type, void* to, int m, MPI_Datatype other, MPI_Comm comm,
               MPI_Request* request),
              (from, n, type, to, m, other, comm, request))
GRAVLET_AFTER(MPI_Send, (const void* from, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm),
              (from, n, type, rank, tag, comm))
GRAVLET_AFTER(MPI_Type_free, (MPI_Datatype * type), (type))
GRAVLET_AFTER(MPI_Type_size, (MPI_Datatype type, int* bytes), (type, bytes))
GRAVLET_AFTER(MPI_Waitall, (int n, MPI_Request* requests, MPI_Status* statuses), (n, requests, statuses))

GRAVLET_AFTER_OR_INSTEAD(MPI_Irecv, (void* to, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request),
                         (to, n, type, rank, tag, comm, request))
GRAVLET_AFTER_OR_INSTEAD(MPI_Isend,
                         (const void* from, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request* request),
                         (from, n, type, rank, tag, comm, request))
GRAVLET_AFTER_OR_INSTEAD(MPI_Test, (MPI_Request * request, int* done, MPI_Status* status), (request, done, status))
GRAVLET_AFTER_OR_INSTEAD(MPI_Testall, (int n, MPI_Request* requests, int* done, MPI_Status* statuses),
                         (n, requests, done, statuses))
GRAVLET_AFTER_OR_INSTEAD(MPI_Type_commit, (MPI_Datatype * type), (type))
GRAVLET_AFTER_OR_INSTEAD(MPI_Type_contiguous, (int n, MPI_Datatype type, MPI_Datatype* to), (n, type, to))
