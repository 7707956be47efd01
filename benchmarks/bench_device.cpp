// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bench_device.hpp"

#include "benchmarks/workload/gpu_calls.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

namespace gravlet::bench {
namespace {

int rank_on_machine(MPI_Comm comm) {
    MPI_Comm machine = MPI_COMM_NULL;
    communicate(comm, [&](const Agreed& all) {
        all.check(MPI_Comm_split_type(all.get(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine), "MPI_Comm_split_type");
    });
    const int rank = rank_in(machine);
    MPI_Comm_free(&machine);
    return rank;
}

}  // namespace

Device choose_device(MPI_Comm comm, bool use) {
    const int rank = rank_on_machine(comm);
    Device device;
    device.visible = gpu_count();
    agree(comm, [&] {
        if (device.visible > 0) device.name = choose_gpu(rank % device.visible, use);
    });
    device.machines = all_reduce(comm, rank == 0 ? 1 : 0, MPI_SUM);
    device.used = all_reduce(comm, rank < device.visible ? 1 : 0, MPI_SUM);
    return device;
}

}  // namespace gravlet::bench
