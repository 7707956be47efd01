// SPDX-License-Identifier: Apache-2.0
#include "solver/redistribute/redistribute_engine.hpp"

#include "solver/data/frame.hpp"
#include "solver/data/stage_clock.hpp"
#include "solver/input/input_checks.hpp"

#include <algorithm>

namespace gravlet {
namespace {

/// Throws Error(invalid_input) naming the first unacceptable body.
InputScan scan(const Input& input, const BodyLimits& limits, int threads) {
    const std::size_t n = input.size(), length = scan_chunk(n, 1), chunks = (n + length - 1) / length;
    InputScan all = empty_scan();
#pragma omp parallel num_threads(threads)
    {
        InputScan mine = empty_scan();
#pragma omp for schedule(static)
        for (std::size_t c = 0; c < chunks; ++c) mine = merge(mine, scan_bodies(input, 0, c, chunks, length, false, limits));
#pragma omp critical
        all = merge(all, mine);
    }
    if (all.first_bad < n) reject_body(input, all.first_bad, input.body(all.first_bad), limits);
    return all;
}

}  // namespace

RedistributeEngine::RedistributeEngine(const Communicator& comm, const Options& options, int threads,
                                       std::unique_ptr<Engine> engine, std::unique_ptr<DeviceAccess> device)
    : options_(options),
      threads_(threads),
      engine_(std::move(engine)),
      device_(std::move(device)),
      split_(comm.size(), threads, options.keep_tree),
      messages_(comm, threads) {}

void RedistributeEngine::solve(Stages& stages, const Input& input, Report& report) {
    StageClock clock;
    clock.start(input.begun);
    stages.narrator().begin_stage("hand_over");
    hand_over(stages, input);
    clock.lap("hand_over");
    Input handed_over = messages_.input();
    handed_over.parts = input.parts, handed_over.part_count = input.part_count;
    stages.local([&] { hold_probes(handed_over); });
    engine_->solve(stages, handed_over, report);
    clock.lap("solve");
    stages.narrator().begin_stage("hand_back");
    stages.local([&] {
        report.stages.insert(report.stages.begin(), {"hand_over", 0.0, 0.0});
        report.stages.push_back({"hand_back", 0.0, 0.0});
    });
    hand_back(stages, input);
    clock.lap("hand_back");

    const double over = clock.stages().front().seconds, back = clock.stages().back().seconds;
    const double ranks = stages.size();
    double longest[] = {over, back}, mean[] = {over / ranks, back / ranks};
    long bytes_sent = static_cast<long>(messages_.bytes_sent());
    const std::size_t held_for_probes = probe_results_.capacity() * sizeof(double);
    long held = device_ != nullptr ? 0 : static_cast<long>(split_.bytes() + messages_.bytes() + held_for_probes);
    stages.collective([&](const Agreed& all) {
        all.all_reduce(longest, 2, MPI_MAX);
        all.all_reduce(mean, 2, MPI_SUM);
        all.all_reduce(&bytes_sent, 1, MPI_SUM);
        all.all_reduce(&held, 1, MPI_MAX);
    });
    report.stages.front() = {"hand_over", longest[0], mean[0]};
    report.stages.back() = {"hand_back", longest[1], mean[1]};
    report.seconds += longest[0] + longest[1];
    report.bytes_sent += bytes_sent;
    report.peak_bytes += held;
}

/// Local. Probes stay where they are: a rank's tree is walked for places anywhere. Their results are kept here until nothing else
/// can fail.
void RedistributeEngine::hold_probes(Input& handed_over) {
    const std::size_t n = here_.probe_count();
    auto results = result_arrays(here_.probes.fields);
    probe_results_.resize(
        n * static_cast<std::size_t>(std::ranges::count_if(results, [](const ResultSpan& r) { return !r.empty(); })));
    std::size_t begin = 0;
    for (ResultSpan& array : results) {
        if (array.empty()) continue;
        array = std::span(probe_results_).subspan(begin, n);
        begin += n;
    }
    handed_over.probes = {here_.probes.x, here_.probes.y, here_.probes.z, as_fields(results)};
}

/// Local. Writes what is held. Allocates nothing.
void RedistributeEngine::store_probes() const {
    const double* from = probe_results_.data();
    for_results(here_.probes.fields, [&](const ResultSpan& array, std::size_t) {
        for (std::size_t p = 0; p < array.size(); ++p) array.set(p, *from++);
    });
}

/// Local. The caller's arrays, copied if they may be in a device's memory.
void RedistributeEngine::bring_in(const Input& input) {
    here_ = input;
    if (device_ != nullptr) {
        const GatherLayout layout({share_of(input, no_rank)});
        copy_memory_.resize(layout.bytes());
        copy_ = layout.all(copy_memory_.data());
        gather(input, options_.softening, copy_, *device_, threads_, false);
        copy_view_.emplace(copy_);
        here_ = copy_view_->input();
        here_.parts = input.parts, here_.part_count = input.part_count;
    }
    set_rules_of_points(here_, options_);
}

void RedistributeEngine::hand_over(Stages& stages, const Input& input) {
    InputScan looked_at;
    Frame frame;
    stages.local([&] {
        refuse_guards(input, "with redistribute");
        bring_in(input);
        looked_at = scan(here_, BodyLimits(options_), threads_);
    });
    stages.collective(
        [&](const Agreed& all) { frame = agree_on_frame(all, looked_at, input.point_count > 0, input.derivatives, options_); });
    stages.local([&] { split_.sort(here_, frame); });
    stages.collective([&](const Agreed& all) { split_.cut(all); });
    stages.local([&] {
        split_.split(here_);
        messages_.pack(here_, split_);
    });
    stages.collective([&](const Agreed& all) { messages_.announce(all); });
    stages.local([&] { messages_.make_room(); });
    stages.collective([&](const Agreed& all) { messages_.send(all); });
    stages.local([&] { messages_.unpack(frame.derivatives); });
}

void RedistributeEngine::hand_back(Stages& stages, const Input& input) {
    std::optional<Scatter> to_device;
    stages.local([&] {
        if (device_ != nullptr) to_device.emplace(copy_, input, *device_, threads_).prepare();
        messages_.pack_results();
    });
    stages.collective([&](const Agreed& all) { messages_.send_back(all); });
    stages.agree();
    stages.local([&] {
        messages_.store(here_, split_);
        store_probes();
        if (to_device) to_device->write();
    });
}

}  // namespace gravlet
