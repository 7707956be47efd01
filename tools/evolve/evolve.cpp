// SPDX-License-Identifier: Apache-2.0
#include "tools/evolve/evolve.hpp"

#include "amr_adapter/files/xdmf.hpp"
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "tools/config/alike.hpp"
#include "tools/config/attempts.hpp"
#include "tools/config/room.hpp"
#include "tools/config/series.hpp"
#include "tools/evolve/log.hpp"
#include "tools/evolve/stepping.hpp"
#include "tools/present/last_words.hpp"
#include "tools/present/picture.hpp"
#include "tools/present/progress_line.hpp"
#include "tools/present/stop_signal.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

/// What is written on rank 0 at the end, by its key.
struct LastWriter {
    const char* key;
    void (*write)(const std::string& path, const std::string& log, const std::vector<std::string>& snapshots);
};
constexpr auto last_writers =
    std::to_array<LastWriter>({{"xdmf", [](const std::string& path, const std::string&,
                                           const std::vector<std::string>& snapshots) { write_xdmf(snapshots, path); }},
                               {"strip",
                                [](const std::string& path, const std::string& log, const std::vector<std::string>& snapshots) {
                                    std::vector<std::string> files{log};  // which the strip does not need
                                    files.insert(files.end(), snapshots.begin(), snapshots.end());
                                    draw({"output.strip", "film.py", {"--strip"}, path, files});
                                }},
                               {"energy", [](const std::string& path, const std::string& log, const std::vector<std::string>&) {
                                    draw({"output.energy", "film.py", {"--energy"}, path, {log}});
                                }}});

// What a restart needs besides the points.
constexpr const char* step_name = "largest_steps";
constexpr const char* solves_name = "solves";
constexpr const char* length_name = "largest_step";

double number(const Snapshot& snapshot, const std::string& path, const char* name) {
    for (const auto& [key, value] : snapshot.numbers)
        if (key == name) return value;
    throw Error(ErrorCode::file, path + ": has no number \"" + name + "\": it is no snapshot of gravlet evolve");
}

std::optional<Box> domain_of(const ProblemSpec& spec) {
    return std::visit(
        [](const auto& problem) -> std::optional<Box> {
            if constexpr (requires { problem.domain; }) return problem.domain;
            return std::nullopt;
        },
        spec);
}

// Points may go anywhere, unless the box repeats.
Options solver_options(const EvolveConfig& config, const std::optional<Box>& domain, const std::array<Boundary, 3>& boundary) {
    Options options = config.solver;
    options.boundary = config.boundary.value_or(boundary);
    if (is_periodic(options)) options.domain = domain;
    if (is_periodic(options) && !options.domain)
        throw Error(ErrorCode::invalid_option,
                    fmt::format("solver.boundary is {}: problem.kind {} needs problem.domain, the box that repeats",
                                to_string(options.boundary), kind_of(config.problem)));
    return options;
}

class Evolution {
public:
    Evolution(MPI_Comm comm, const EvolveConfig& config) : comm_(comm), config_(config), progress_(comm) {}

    EvolveResult run(const std::function<void(const EvolveResult&)>& tell) {
        const Snapshot start = config_.restart.empty() ? first_points() : points_of_restart();
        check(start.points);
        check_room(start.points);
        progress_.say("sorting and solving");
        stepping_->take(start);
        const LogLine first = line();
        log_.emplace(comm_, steps_log, config_.output["log"], time());
        sub_steps_.emplace(comm_, sub_steps_log, config_.output["sub_steps"], time());
        if (step_ == 0) log_->add(first);
        if (step_ == 0 && written_now_ == 0 && config_.output.wants("snapshots")) write(last_snapshot());
        const std::int64_t begin = step_;
        solves_before_ += stepping_->counts().solves;
        stepping_->count_anew();
        mark_counted();
        begun_ = before_ = Clock::now();
        int stopped_by = stop_signal(comm_);
        Attempts attempts(comm_);
        while (step_ < config_.steps() && stopped_by == 0) {
            say_progress(begin);
            const std::vector<SubStep> sub_steps = stepping_->largest_step(step_);
            ++step_;
            is_kept_ = false;
            const LogLine now = line();
            if (!attempts.make([&] { log_->add(now), sub_steps_->add(sub_steps); })) break;
            stopped_by = stop_signal(comm_);
            if (is_written()) {
                if (!keep(attempts, last_snapshot())) break;
            } else if (stopped_by == 0 && step_ % config_.balance == 0) {
                stepping_->arrange();
            }
            mark_counted();
        }
        if (stopped_by != 0 && !is_kept_ && config_.output.wants("snapshots")) keep(attempts, {});
        const EvolveResult result = summary(begin, first, stopped_by);
        progress_.clear();
        if (tell) attempts.make([&] { tell(result); });
        progress_.say("drawing");
        write_last(attempts);
        attempts.finish();
        return result;
    }

private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] double time() const { return static_cast<double>(step_) * config_.rule.largest; }
    [[nodiscard]] bool is_written() const {
        const std::int64_t every = config_.snapshot_steps;
        return config_.output.wants("snapshots") && (step_ == config_.steps() || (every > 0 && step_ % every == 0));
    }

    Snapshot first_points() {
        progress_.say("making the points");
        const LastWords words("problem.path", file_of(config_.problem));
        Problem problem = make_problem(comm_, config_.problem);
        alike(comm_, [&] {
            options_ = solver_options(config_, problem.domain, problem.boundary);
            origin_ = problem.origin;
            input_ = input_text(origin_);
        });
        stepping_.emplace(comm_, options_, config_.rule);
        Snapshot start;
        start.points = std::move(problem.points);
        return start;
    }

    Snapshot points_of_restart() {
        progress_.say("reading {}", config_.restart);
        const LastWords words("evolve.restart", config_.restart);
        Snapshot start = read_snapshot(comm_, config_.restart);
        alike(comm_, [&] {
            const std::string& path = config_.restart;
            input_ = start.input;
            if (number(start, path, length_name) != config_.rule.largest)
                throw Error(ErrorCode::invalid_option, fmt::format("evolve.step is {}: {} was written with {}",
                                                                   config_.rule.largest, path, number(start, path, length_name)));
            step_ = std::llround(number(start, path, step_name));
            kept_ = path;
            is_kept_ = true;
            solves_before_ =
                std::llround(number(start, path, solves_name)) - 1;  // the solve that comes first was that one's last
            if (step_ > config_.steps())
                throw Error(ErrorCode::invalid_option,
                            fmt::format("evolve.end is {}: {} is of time {}", config_.end, path, time()));
            options_ = solver_options(config_, domain_of(config_.problem), {});
        });
        for_all(comm_, [&] { written_now_ = goes_on_from_now() ? 1 : 0; });
        communicate(comm_, [&](const Agreed& all) { all.broadcast(&written_now_, 1, 0); });
        stepping_.emplace(comm_, options_, config_.rule);
        return start;
    }

    /// Collective. Throws Error if all ranks together have no points, or steps by softening have no length.
    void check(const PointSet& points) const {
        if (all_reduce(comm_, static_cast<long>(points.size()), MPI_SUM) == 0)
            throw Error(ErrorCode::invalid_input, "there are no points to evolve");
        const bool lengths = all_reduce(comm_, points.softening.empty() ? 0 : 1, MPI_MAX) == 1;
        if (config_.rule.kind == StepKind::softening && config_.solver.softening == 0.0 && !lengths)
            throw Error(ErrorCode::invalid_option,
                        "evolve.steps is softening, and solver.softening is 0: set one above 0, or steps: tidal");
    }

    /// Collective. Throws Error(file) if there is no room for a snapshot.
    void check_room(const PointSet& points) const {
        constexpr std::uint64_t values = 12;  // place, velocity, mass, identity, potential, acceleration
        const long all = all_reduce(comm_, static_cast<long>(points.size()), MPI_SUM);
        for_all(comm_, [&] {
            if (!config_.output.wants("snapshots")) return;
            Room room;
            room.needs("output.snapshots", snapshot_path(0), values * sizeof(double) * static_cast<std::uint64_t>(all));
            room.check();
        });
    }

    /// Collective. The log's next line: sums of now, and counts of this largest step.
    LogLine line() {
        LogLine now{.time = time()};
        agree(comm_, [&] { now.sums = stepping_->motion().sums(); });
        communicate(comm_, [&](const Agreed& all) { add_up(all, now.sums); });
        const Stepping::Counts& counts = stepping_->counts();
        now.steps = solves_before_ + counts.solves;
        now.pairs = counts.pairs - pairs_counted_;
        now.active = counts.active - active_counted_;
        mark_counted();
        const Clock::time_point at = Clock::now();
        now.seconds = seconds_between(before_, at);
        before_ = at;
        last_ = now;
        return now;
    }

    void mark_counted() {
        pairs_counted_ = stepping_->counts().pairs;
        active_counted_ = stepping_->counts().active;
    }

    /// Collective. Whether a snapshot of now could be written.
    bool keep(Attempts& attempts, std::optional<std::int64_t> number) {
        stepping_->renew();
        return attempts.make([&] { write(number); });
    }

    /// Collective. A snapshot of points just arranged by a new solver, as one that a run goes on from is. No number: the one that
    /// a run leaves which is stopped.
    void write(std::optional<std::int64_t> number) {
        Snapshot now;
        std::string path;
        agree(comm_, [&] {
            stepping_->motion().get(now);
            now.time = time();
            now.numbers = {{step_name, static_cast<double>(step_)},
                           {solves_name, static_cast<double>(solves_before_ + stepping_->counts().solves)},
                           {length_name, config_.rule.largest}};
            if (provenance_.empty()) provenance_ = provenance_of(config_.made_by, kind_of(config_.problem), options_, input_);
            path = number ? snapshot_path(*number) : stopped_path(config_.output["snapshots"]);
        });
        write_snapshot(comm_, path, now, provenance_);
        agree(comm_, [&] { kept_ = path; });
        is_kept_ = true;
        ++written_;
    }

    /// Local. Whether the run goes on from the snapshot of now, so that it is there. Throws if one to come would replace what the
    /// run goes on from: with other steps between snapshots, numbers are those of other times.
    [[nodiscard]] bool goes_on_from_now() const {
        bool is_now = false;
        const std::int64_t every = config_.snapshot_steps, next = every > 0 ? step_ / every + 1 : 1;
        if (!config_.output.wants("snapshots")) return false;
        std::error_code none;
        for (const auto& [number, path] : series_files(config_.output["snapshots"])) {
            if (!std::filesystem::equivalent(path, config_.restart, none)) continue;
            if (number >= next)
                throw Error(ErrorCode::invalid_option,
                            fmt::format("output.snapshots is {}: {} is the file of evolve.restart, {}, and would be replaced",
                                        config_.output["snapshots"], path, config_.restart));
            is_now = is_now || (step_ == 0 && number == 0);
        }
        return is_now;
    }

    /// The number of a snapshot at this step, or of the last one before.
    [[nodiscard]] std::int64_t last_snapshot() const {
        const std::int64_t every = config_.snapshot_steps;
        const bool ended = step_ == config_.steps();
        return every > 0 ? (step_ + (ended ? every - 1 : 0)) / every : (ended ? 1 : 0);
    }
    [[nodiscard]] std::string snapshot_path(std::int64_t number) const {
        return series_path(config_.output["snapshots"], number);
    }

    /// Collective. What is made at the end, of the log and of all snapshots that are there, also those of the runs before this
    /// one.
    void write_last(Attempts& attempts) {
        const Outputs& output = config_.output;
        std::vector<std::string> snapshots;
        agree(comm_, [&] {
            for (std::int64_t k = 0; k <= last_snapshot(); ++k)
                if (std::filesystem::exists(snapshot_path(k))) snapshots.push_back(snapshot_path(k));
        });
        for (const auto& [key, write] : last_writers)
            if (output.wants(key)) attempts.make([&] { for_all(comm_, [&] { write(output[key], output["log"], snapshots); }); });
    }

    void say_progress(std::int64_t begin) {
        const std::int64_t done = step_ - begin, left = config_.steps() - step_;
        const double seconds = seconds_between(begun_, Clock::now());
        if (done == 0) return progress_.say("step 1 of {}", config_.steps());
        progress_.say("time {:.6g}, step {} of {}, {:.0f} s left", time(), step_ + 1, config_.steps(),
                      seconds / static_cast<double>(done) * static_cast<double>(left));
    }

    EvolveResult summary(std::int64_t begin, const LogLine& first, int stopped_by) {
        EvolveResult result;
        const Stepping::Counts& counts = stepping_->counts();
        result.seconds = seconds_between(begun_, Clock::now());
        agree(comm_, [&] { result.too_slow = stepping_->motion().too_slow(config_.rule); });
        result.too_slow = all_reduce(comm_, static_cast<long>(result.too_slow), MPI_SUM);
        agree(comm_, [&] {
            result.made_by = config_.made_by;
            result.problem = kind_of(config_.problem);
            result.input = origin_;
            result.options = options_;
            result.backend = stepping_->backend();
            result.ranks = size_of(comm_);
            result.largest_steps = step_ - begin;
            result.solves = counts.solves;
            result.active = counts.active;
            result.kept = counts.kept;
            result.pairs = counts.pairs;
            result.deepest_level = counts.deepest_level;
            result.stages = counts.stages;
            result.snapshots = written_;
            result.time = time();
            result.stopped_by = stopped_by;
            if (step_ < config_.steps() || (config_.output.wants("snapshots") && !is_kept_)) result.going_on = kept_;
            result.energy_change = (last_.energy() - first.energy()) / std::abs(first.energy());
        });
        return result;
    }

    [[nodiscard]] static double seconds_between(Clock::time_point a, Clock::time_point b) {
        return std::chrono::duration<double>(b - a).count();
    }

    MPI_Comm comm_;
    const EvolveConfig& config_;
    ProgressLine progress_;
    Options options_;
    std::optional<Stepping> stepping_;
    std::optional<Log> log_, sub_steps_;
    std::int64_t step_ = 0;           ///< largest ones since time 0
    std::int64_t solves_before_ = 0;  ///< since time 0, before the steps of this run
    std::int64_t written_ = 0;
    Provenance origin_;           ///< what the files of the first points state
    std::string input_;           ///< what snapshots have of it
    Provenance provenance_;       ///< what snapshots say
    std::string kept_;            ///< last snapshot that was written, or what the run goes on from
    bool is_kept_ = false;        ///< that one is of now
    int written_now_ = 0;         ///< 1: the snapshot of time 0 is what the run goes on from
    double pairs_counted_ = 0.0;  ///< what lines so far have told, and what no line tells
    std::int64_t active_counted_ = 0;
    LogLine last_;
    Clock::time_point begun_ = Clock::now(), before_ = begun_;
};

}  // namespace

EvolveResult evolve(MPI_Comm comm, const EvolveConfig& config, const std::function<void(const EvolveResult&)>& tell) {
    return Evolution(comm, config).run(tell);
}

}  // namespace gravlet
