// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bench_device.hpp"

#include "benchmarks/workload/cuda_check.hpp"
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
    // Fails where there is no GPU or no driver; that is an answer too.
    if (cudaGetDeviceCount(&device.visible) != cudaSuccess) {
        device.visible = 0;
        static_cast<void>(cudaGetLastError());
    }
    agree(comm, [&] {
        if (device.visible == 0) return;
        const int index = rank % device.visible;
        if (use) cuda_check(cudaSetDevice(index), "cudaSetDevice");
        cudaDeviceProp properties{};
        cuda_check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
        device.name = properties.name;
    });
    device.used = all_reduce(comm, rank < device.visible ? 1 : 0, MPI_SUM);
    return device;
}

}  // namespace gravlet::bench
