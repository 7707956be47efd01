// SPDX-License-Identifier: Apache-2.0
// How ranks use the devices: each its own, several one each for itself, or one of them for all.
#include "gpu/device.hpp"
#include "gpu/device_access.hpp"
#include "gpu/engine.hpp"
#include "solver/gather/gather_engine.hpp"
#include "solver/redistribute/redistribute_engine.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

/// Threads of each of so many ranks of one machine, of those that it has. On a host they copy arrays and do little else: a few
/// fill the bus, and each copy waits for whatever else its core does. With 64 threads on 64 cores a solve took ten times as long
/// as with 8, with 8 on each of 8 ranks four to nine times as long as with 2 (docs/gpu_bh.md). All of a solve's teams are as
/// large: to make one larger or smaller takes OpenMP as long as a copy.
int copy_threads(int threads, int ranks) { return std::max(1, std::min({threads, 8, 16 / ranks})); }

/// Collective. The lowest of the ranks that use this one's device: their number may differ where each sees other devices.
int first_rank_with(Stages& stages, const DeviceId& mine) {
    std::vector<DeviceId> all;
    std::optional<RecordType> type;
    stages.local([&] {
        all.resize(static_cast<std::size_t>(stages.size()));
        type.emplace(sizeof(DeviceId));
    });
    stages.collective([&](const Agreed& ranks) {
        ranks.check(MPI_Allgather(mine.data(), 1, type->get(), all.data(), 1, type->get(), ranks.get()), "MPI_Allgather");
    });
    return static_cast<int>(std::find(all.begin(), all.end(), mine) - all.begin());
}

/// Collective over the ranks that solve. Makes their engines, which hand bodies over first with `redistribute`.
std::unique_ptr<Engine> make_solving_engine(Stages& stages, const Communicator& comm, const Options& options, int device,
                                            int threads) {
    return redistributed(stages, comm, options, threads, make_device_engine(stages, comm, options, device, threads),
                         [=] { return make_device_access(device); });
}

/// Collective. Makes an engine that gathers on the device.
std::unique_ptr<Engine> make_gather_engine(Stages& stages, const Communicator& comm, const Options& options, int threads,
                                           int device, int colour) {
    const auto make = [=](const Communicator& leaders, int all_threads, Narrator& narrator) {
        Stages among_leaders(leaders, narrator);
        return make_solving_engine(among_leaders, leaders, options, device, all_threads);
    };
    return prepared_engine(
        stages, [&] { return std::make_unique<GatherEngine>(comm, options, threads, make, make_device_access(device)); }, colour);
}

}  // namespace

std::unique_ptr<Engine> make_gpu_engine(Stages& stages, const Communicator& comm, const Options& options, int all_threads) {
    const int threads = copy_threads(all_threads, comm.ranks_on_node());
    int device = 0;
    DeviceId id{};
    stages.local([&] {
        device = choose_device(comm);
        id = device_id(device);
    });
    const int first = first_rank_with(stages, id);
    int shared = first != comm.rank() ? 1 : 0;
    stages.collective([&](const Agreed& all) { all.all_reduce(&shared, 1, MPI_MAX); });
    stages.agree();
    if (shared != 0 && options.gpu_sharing != GpuSharing::share) {
        try {
            return make_gather_engine(stages, comm, options, threads, device, first);
        } catch (const Error& error) {
            // Ranks that cannot share memory, such as containers', still share the device.
            if (options.gpu_sharing == GpuSharing::gather || error.code() != ErrorCode::not_available) throw;
        }
    }
    return make_solving_engine(stages, comm, options, device, threads);
}

}  // namespace gravlet
