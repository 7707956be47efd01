// SPDX-License-Identifier: Apache-2.0
#include "solver/gather_engine.hpp"

#include "mpi/agreement.hpp"
#include "solver/gather_copy.hpp"
#include "solver/gather_errors.hpp"
#include "solver/gather_view.hpp"
#include "solver/report_bytes.hpp"

#include <omp.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace gravlet {
namespace {

/// While the members wait, the leader may use their threads, but not more cores than it is bound to.
int leader_threads(int threads, const Communicator& members) {
    return std::max(threads, std::min(threads * members.size(), omp_get_num_procs()));
}

}  // namespace

GatherEngine::GatherEngine(const Communicator& comm, const Options& options, int colour, int threads, const MakeEngine& make,
                           std::unique_ptr<DeviceAccess> device)
    : comm_(comm),
      options_(options),
      threads_(threads),
      device_(std::move(device)),
      group_(comm, colour),
      window_(
          comm_, group_.members(),
          [this](std::byte* data, std::size_t size) {
              if (group_.leads()) device_->pin(data, size);
          },
          [this](std::byte* data, std::size_t) {
              if (group_.leads()) device_->unpin(data);
          }) {
    agree(comm_, [&] {
        if (group_.leads()) engine_ = make(group_.leaders(), leader_threads(threads_, group_.members()));
    });
    window_.reserve(1);  // shows whether the ranks can share memory
}

Report GatherEngine::solve(const Input& input) {
    StageClock clock;
    clock.start();
    const GatherLayout layout = agree_on_layout(input);
    window_.reserve(layout.bytes());
    const GatherArrays mine = layout.part(window_.data(), static_cast<std::size_t>(group_.members().rank()));
    agree(comm_, [&] { gather(input, mine, *device_, threads_); });  // after it, the leader sees what all have written
    clock.lap("gather");

    int code = 0;
    std::string text = group_.leads() ? lead(layout, code) : std::string();
    group_.hear_leader(code, text);
    if (code != 0) fail(code, text, mine);
    Report report = report_from_bytes(text);
    clock.lap("solve");

    agree(comm_, [&] { scatter(mine, input, *device_, threads_); });  // after it, the memory may be written again
    clock.lap("scatter");
    complete(report, clock);
    return report;
}

GatherLayout GatherEngine::agree_on_layout(const Input& input) const {
    const Communicator& members = group_.members();
    const GatherShare mine = share_of(input, comm_.rank());
    const RecordType type(sizeof(GatherShare));
    std::optional<GatherLayout> layout;
    std::vector<GatherShare> shares(static_cast<std::size_t>(members.size()));
    mpi_check(MPI_Allgather(&mine, 1, type.get(), shares.data(), 1, type.get(), members.get()), "MPI_Allgather");
    agree(comm_, [&] { layout.emplace(shares); });
    return *std::move(layout);
}

/// A report, or (code is then set) an error's message. Throws nothing: the members wait for it.
std::string GatherEngine::lead(const GatherLayout& layout, int& code) {
    try {
        std::optional<GatherView> view;
        agree(group_.leaders(), [&] {
            view.emplace(layout.all(window_.data()));
            if (comm_.size() > 1) view->name_by(layout.pieces());
        });
        return to_bytes(engine_->solve(view->input()));
    } catch (...) {
        const Error error = in_callers_ranks(as_error(std::current_exception()), group_, comm_);
        code = static_cast<int>(error.code());
        return error.what();
    }
}

void GatherEngine::fail(int code, const std::string& message, const GatherArrays& mine) const {
    const ErrorCode error = static_cast<ErrorCode>(code);
    if (error == ErrorCode::invalid_input) {
        std::optional<GatherView> view;
        agree(comm_, [&] { view.emplace(mine); });
        reject_own_bodies(comm_, view->input(), options_);
    }
    throw Error(error, message);
}

void GatherEngine::complete(Report& report, const StageClock& clock) const {
    const auto& stages = clock.stages();
    double longest[2] = {stages.front().second, stages.back().second};
    double mean[2] = {longest[0] / comm_.size(), longest[1] / comm_.size()};
    all_reduce(comm_.get(), longest, 2, MPI_MAX);
    all_reduce(comm_.get(), mean, 2, MPI_SUM);
    report.stages.insert(report.stages.begin(), {stages.front().first, longest[0], mean[0]});
    report.stages.push_back({stages.back().first, longest[1], mean[1]});
    report.seconds += longest[0] + longest[1];
    report.unchanged_ranks = all_reduce(comm_.get(), kept_tree() ? group_.members().size() : 0, MPI_SUM);
    report.ranks = comm_.size();
    report.threads = threads_;
}

}  // namespace gravlet
