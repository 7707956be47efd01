// SPDX-License-Identifier: Apache-2.0
// How ranks use the devices: each its own, several one each for itself, or one of them for all.
#include "gpu/device.hpp"
#include "gpu/device_access.hpp"
#include "gpu/device_engine.hpp"
#include "gpu/engine.hpp"
#include "mpi/agreement.hpp"
#include "solver/gather_engine.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {
namespace {

/// Collective. The lowest of the ranks that use this one's device: their number may differ where each sees other devices.
int first_rank_with(const Communicator& comm, const DeviceId& mine) {
    std::vector<DeviceId> all(static_cast<std::size_t>(comm.size()));
    const RecordType type(sizeof(DeviceId));
    mpi_check(MPI_Allgather(mine.data(), 1, type.get(), all.data(), 1, type.get(), comm.get()), "MPI_Allgather");
    return static_cast<int>(std::find(all.begin(), all.end(), mine) - all.begin());
}

std::unique_ptr<Engine> make_gather_engine(const Communicator& comm, const Options& options, int threads, int device,
                                           int colour) {
    const auto make = [=](const Communicator& leaders, int all_threads) {
        return make_device_engine(leaders, options, device, all_threads);
    };
    return std::make_unique<GatherEngine>(comm, options, colour, threads, make, make_device_access(device));
}

}  // namespace

std::unique_ptr<Engine> make_gpu_engine(const Communicator& comm, const Options& options, int threads) {
    int device = 0;
    DeviceId id{};
    agree(comm, [&] {
        device = choose_device(comm);
        id = device_id(device);
    });
    const int first = first_rank_with(comm, id);
    const bool shared = all_reduce(comm.get(), first != comm.rank() ? 1 : 0, MPI_MAX) != 0;
    if (shared && options.gpu_sharing != GpuSharing::share) {
        try {
            return make_gather_engine(comm, options, threads, device, first);
        } catch (const Error& error) {
            // Ranks that cannot share memory, such as containers', still share the device.
            if (options.gpu_sharing == GpuSharing::gather || error.code() != ErrorCode::not_available) throw;
        }
    }
    std::unique_ptr<Engine> engine;
    agree(comm, [&] { engine = make_device_engine(comm, options, device, threads); });
    return engine;
}

}  // namespace gravlet
