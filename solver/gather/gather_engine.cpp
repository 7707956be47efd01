// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/gather_engine.hpp"

#include "solver/data/stage_clock.hpp"
#include "solver/gather/gather_copy.hpp"
#include "solver/gather/report_bytes.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace gravlet {
namespace {

/// What a leader caught of the leaders' engine, whose ranks are those of the leaders' communicator, in the words of the ranks
/// that passed their cells: without gathering, the same error would have the same message.
Outcome in_callers_ranks(const std::exception_ptr& caught, const RankGroup& group, const Communicator& all) noexcept {
    Outcome out(caught);
    out.rank = all.rank();
    try {
        std::rethrow_exception(caught);
    } catch (const AgreedError& error) {
        out = Outcome(error.code(), error.text());
        out.owner = error.owner();
        out.rank = error.rank() == no_rank ? all.rank() : group.leader_ranks()[static_cast<std::size_t>(error.rank())];
    } catch (...) {  // of this leader alone
    }
    // Bodies are named with their ranks; all else is the leader's.
    if (out.code == static_cast<int>(ErrorCode::invalid_input) || all.size() == 1) out.rank = no_rank;
    return out;
}

/// Ends what is sent ahead, however a solve ends.
struct [[nodiscard]] EndAhead {
    std::optional<SendAhead>& ahead;
    ~EndAhead() { ahead.reset(); }
};

}  // namespace

GatherEngine::GatherEngine(const Communicator& comm, const Options& options, int threads, MakeEngine make,
                           std::unique_ptr<DeviceAccess> device)
    : comm_(comm),
      options_(options),
      threads_(threads),
      make_(std::move(make)),
      device_(std::move(device)),
      window_(
          group_.members(),
          [this](std::byte* data, std::size_t size) {
              if (group_.leads()) device_->pin(data, size);
          },
          [this](std::byte* data, std::size_t) {
              if (group_.leads()) device_->unpin(data);
          }) {}

void GatherEngine::prepare(Stages& stages, int colour) {
    group_.form(stages, colour);
    stages.collective([&](const Agreed&) {
        if (group_.leads()) engine_ = make_(group_.leaders(), threads_, stages.narrator());
    });
    window_.reserve(stages, 1);  // shows whether the ranks can share memory
}

void GatherEngine::solve(Stages& stages, const Input& input, Report& report) {
    StageClock clock;
    clock.start(input.begun);
    stages.narrator().begin_stage("gather");
    const std::optional<GatherLayout> before = std::exchange(layout_, std::nullopt);
    GatherLayout layout = agree_on_layout(stages, input);
    const bool described = before && layout.has_blocks_of(*before);
    if (!described) view_.reset();
    window_.reserve(stages, GatherProgress::bytes(group_.members().size()) + layout.bytes());
    const GatherArrays mine = layout.part(arrays(), static_cast<std::size_t>(group_.members().rank()));
    const EndAhead at_the_end{ahead_};
    write(stages, input, layout, mine, described);

    std::string bytes;
    Outcome outcome;
    stages.collective([&](const Agreed& all) {  // the leader sees what all have written
        clock.lap("gather");
        if (group_.leads()) {
            outcome = lead(layout, stages.narrator(), bytes);
            clock.lap("solve");
        }
        group_.wait_for_leader(all);
        if (!group_.leads()) clock.lap("solve");
        all.check(MPI_Bcast(&outcome, static_cast<int>(sizeof outcome), MPI_BYTE, 0, group_.members().get()), "MPI_Bcast");
    });
    stages.agree();
    if (outcome.code != 0) throw AgreedError(outcome);
    hear_report(stages, bytes);

    stages.narrator().begin_stage("scatter");
    stages.local([&] {
        Report theirs = report_from_bytes(bytes);
        theirs.stages.insert(theirs.stages.begin(), {"gather", 0.0, 0.0});
        theirs.stages.push_back({"scatter", 0.0, 0.0});
        const bool measured = theirs.tolerance && theirs.tolerance->solves_ago == 0;
        for (std::string& warning : theirs.warnings) {
            if (measured && !group_.leads()) stages.narrator().warn(warning.c_str());  // a leader's host has heard it
            report.warnings.push_back(std::move(warning));
        }
        theirs.warnings.swap(report.warnings);
        std::swap(report, theirs);
    });
    Scatter scatter(mine, input, *device_, threads_);
    stages.local([&] { scatter.prepare(); });
    stages.agree();
    stages.local([&] { scatter.write(); });
    clock.lap("scatter");

    const double gathering = clock.stages().front().seconds, scattering = clock.stages().back().seconds;
    double longest[2] = {gathering, scattering}, mean[2] = {gathering / comm_.size(), scattering / comm_.size()};
    long unchanged = kept_tree() ? group_.members().size() : 0;
    // After it, the memory may be written again.
    stages.collective([&](const Agreed& all) {
        all.all_reduce(longest, 2, MPI_MAX);
        all.all_reduce(mean, 2, MPI_SUM);
        all.all_reduce(&unchanged, 1, MPI_SUM);
    });
    const auto complete = [&](StageTime& stage, std::size_t i) {
        stage.max = longest[i];
        stage.mean = mean[i];
        report.seconds += longest[i];
    };
    complete(report.stages.front(), 0);
    complete(report.stages.back(), 1);
    report.unchanged_ranks = static_cast<int>(unchanged);
    report.ranks = comm_.size();
    report.threads = threads_;
    layout_ = std::move(layout);
}

void GatherEngine::write(Stages& stages, const Input& input, const GatherLayout& layout, const GatherArrays& mine,
                         bool described) {
    const int member = group_.members().rank();
    const GatherProgress progress(window_.data(), ++turn_);
    stages.local([&] {
        if (described && view_ && engine_->begin_ahead(view_->input())) ahead_.emplace(*engine_, layout, progress);
        gather(input, options_.softening, mine, *device_, threads_, described, [&](std::size_t cells) {
            progress.wrote(member, cells);
            if (ahead_) ahead_->some();
        });
    });
    progress.wrote(member, mine.cells);  // even if it has failed: the leader waits for it
    stages.local([&] {
        if (ahead_) ahead_->all();
    });
}

GatherLayout GatherEngine::agree_on_layout(Stages& stages, const Input& input) const {
    const Communicator& members = group_.members();
    const GatherShare mine = share_of(input, comm_.rank());
    std::optional<RecordType> type;
    std::vector<GatherShare> shares;
    stages.local([&] {
        refuse_guards(input, "where ranks gather on a device (gpu_sharing: share, or one rank a device)");
        type.emplace(sizeof(GatherShare));
        shares.resize(static_cast<std::size_t>(members.size()));
    });
    stages.collective([&](const Agreed& all) {
        all.check(MPI_Allgather(&mine, 1, type->get(), shares.data(), 1, type->get(), members.get()), "MPI_Allgather");
    });
    std::optional<GatherLayout> layout;
    stages.local([&] { layout.emplace(shares); });
    stages.agree();
    return std::move(*layout);
}

/// Solves on a leader, while the members wait. Writes the report's bytes, or says what went wrong.
Outcome GatherEngine::lead(const GatherLayout& layout, Narrator& narrator, std::string& bytes) noexcept {
    const auto begun = std::chrono::steady_clock::now();
    try {
        Stages stages(group_.leaders(), narrator);
        stages.local([&] {
            if (!view_) view_.emplace(layout.all(arrays()), ++views_);
        });
        stages.agree();
        Input input = view_->input();
        input.begun = begun;
        if (comm_.size() > 1) input.parts = layout.rank_parts().data(), input.part_count = layout.rank_parts().size();
        Report report;
        engine_->solve(stages, input, report);
        stages.local([&] { bytes = to_bytes(report); });
        stages.agree();
        stages.finish();
        return {};
    } catch (...) {
        return in_callers_ranks(std::current_exception(), group_, comm_);
    }
}

void GatherEngine::hear_report(Stages& stages, std::string& bytes) const {
    long size = static_cast<long>(bytes.size());
    const MPI_Comm members = group_.members().get();
    stages.collective([&](const Agreed& all) { all.check(MPI_Bcast(&size, 1, MPI_LONG, 0, members), "MPI_Bcast"); });
    stages.local([&] { bytes.resize(static_cast<std::size_t>(size)); });
    stages.collective([&](const Agreed& all) {
        all.check(MPI_Bcast(bytes.data(), static_cast<int>(size), MPI_CHAR, 0, members), "MPI_Bcast");
    });
}

}  // namespace gravlet
