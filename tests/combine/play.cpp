// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/play.hpp"

#include "tests/combine/hosts/host.hpp"
#include "tests/combine/judge.hpp"
#include "tests/combine/steps/said.hpp"
#include "tests/combine/steps/steps.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace gravlet::combine {
namespace {

constexpr int invalid_option = static_cast<int>(ErrorCode::invalid_option),
              invalid_input = static_cast<int>(ErrorCode::invalid_input);

/// The first rank's text that is not "", with its rank.
std::string text_of_all(const std::string& text) {
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = text.empty() ? size : rank;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == size) return "";
    std::string out = fmt::format("rank {}: {}", first, text);
    int length = static_cast<int>(out.size());
    MPI_Bcast(&length, 1, MPI_INT, first, MPI_COMM_WORLD);
    out.resize(static_cast<std::size_t>(length));
    MPI_Bcast(out.data(), length, MPI_CHAR, first, MPI_COMM_WORLD);
    return out;
}

bool same_everywhere(const Answer& answer) {
    const auto hash = static_cast<long long>(std::hash<std::string>()(answer.text) >> 1);
    long long all[4] = {answer.code, hash, -answer.code, -hash};
    MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
    return all[0] == -all[2] && all[1] == -all[3];
}

class Play {
public:
    explicit Play(const Case& c) : case_(c), host_(make_host(c.language)) { MPI_Comm_rank(MPI_COMM_WORLD, &rank_); }

    Verdict verdict() {
        if (!create()) return verdict_;
        bodies_ = case_.bodies;
        if (!solve(bodies_, nullptr)) return verdict_;
        for (const Step& step : case_.steps) {
            ++verdict_.step;
            if (step.act == Act::other_lengths && !change_lengths(step)) return verdict_;
            Bodies next = after(step, case_, bodies_);
            moved_ = moved_ || step.act == Act::moved || step.act == Act::some_moved || step.act == Act::one_more;
            if (!say(step, next) || !solve(next, &step)) return verdict_;
            if (!is_bad(step.act)) bodies_ = std::move(next);
        }
        return verdict_;
    }

private:
    /// Returns false.
    bool stop(Verdict::Fault fault, std::string text) {
        verdict_.fault = fault, verdict_.text = std::move(text);
        return false;
    }

    /// Whether all is as it should be and goes on.
    bool create() {
        Options options = case_.options;
        if (case_.broken == "differs" && rank_ == case_.ranks - 1) options.leaf_size += 1;
        const Answer answer = host_->create(MPI_COMM_WORLD, options, case_.listener);
        if (!same_everywhere(answer))
            return stop(Verdict::Fault::unclear, text_of_all(fmt::format("ranks differ: code {}: {}", answer.code, answer.text)));
        if (case_.expect == Expect::refused_option) {
            if (answer.code != invalid_option)
                return stop(Verdict::Fault::unclear,
                            fmt::format("{} is beyond its limits: code {}: {}", case_.broken, answer.code, answer.text));
            ++verdict_.refused;
            return false;
        }
        if (!answer.good())
            return stop(Verdict::Fault::unclear, fmt::format("options refused: code {}: {}", answer.code, answer.text));
        if (std::ranges::any_of(case_.steps, [](const Step& step) { return step.said != Said::nothing; })) {
            silent_ = make_cpp_host();
            silent_->create(MPI_COMM_WORLD, options, false);
        }
        return true;
    }

    bool change_lengths(const Step& step) {
        case_.options = lengths_after(step, case_.options);
        if (silent_) silent_->set_lengths(case_.options);
        before_.reset();
        const Answer answer = host_->set_lengths(case_.options);
        const std::string fault = text_of_all(answer.text);
        return fault.empty() || stop(Verdict::Fault::unclear, "other lengths: " + fault);
    }

    /// What the host says before a step's solve.
    bool say(const Step& step, const Bodies& next) {
        const auto flags = flags_said(step, bodies_, next, rank_);
        const Answer answer = flags ? host_->only_changed(*flags) : Answer{};
        const std::string fault = text_of_all(answer.text);
        must_be_found_ = known_ && must_be_found(case_, step, bodies_, next);
        return fault.empty() || stop(Verdict::Fault::unclear, fault);
    }

    bool solve(const Bodies& bodies, const Step* step) {
        Arrays arrays = hand_over(case_, bodies, rank_);
        const Answer answer = host_->solve(arrays);
        if (!same_everywhere(answer))
            return stop(Verdict::Fault::unclear, text_of_all(fmt::format("ranks differ: code {}: {}", answer.code, answer.text)));
        const std::string touched = text_of_all(written(bodies, arrays, case_.layout, !answer.good()));
        if (!touched.empty()) return stop(Verdict::Fault::wrong, touched);
        const std::string misheard = text_of_all(host_->misheard());
        if (!misheard.empty()) return stop(Verdict::Fault::wrong, misheard);
        const bool bad = step != nullptr && is_bad(step->act), lie = step != nullptr && step->said == Said::less;
        known_ = answer.good();
        if (lie && !answer.good()) return find(answer);
        const bool as_silent = is_as_silent(bodies, arrays, answer);
        if (!answer.good()) return refuse(answer, bad);
        if (bad) return stop(Verdict::Fault::unclear, fmt::format("{} is accepted", to_string(step->act)));
        if (must_be_found_) return stop(Verdict::Fault::unclear, "a body has changed, nobody was told, and it is not found");
        ++verdict_.solves;
        return as_silent && is_right(bodies, arrays) && has_same_bits(std::move(arrays), step);
    }

    /// A body that has changed, of which the host has said that none has.
    bool find(const Answer& answer) {
        const bool named =
            answer.text.find(" has changed since the last solve, and only_changed() did not say so") != std::string::npos;
        if (answer.code != invalid_input || !named)
            return stop(Verdict::Fault::unclear, fmt::format("an untold change: code {}: {}", answer.code, answer.text));
        ++verdict_.refused, ++verdict_.found;
        missed_ = true;
        before_.reset();
        return true;
    }

    /// Whether a host that never says what has changed gets the same.
    bool is_as_silent(const Bodies& bodies, const Arrays& arrays, const Answer& answer) {
        if (!silent_) return true;
        Arrays others = hand_over(case_, bodies, rank_);
        const Answer other = silent_->solve(others);
        if (other.code != answer.code)
            return stop(Verdict::Fault::unclear, fmt::format("code {}: {}; where nothing is said, code {}: {}", answer.code,
                                                             answer.text, other.code, other.text));
        const bool may_differ = missed_ && (case_.options.tolerance > 0.0 || case_.options.keep_moved);
        const std::string fault =
            text_of_all(may_differ || same_bits(arrays, others) ? "" : "where nothing is said are other bits");
        return fault.empty() || stop(Verdict::Fault::wrong, fault);
    }

    /// `either`: also where one of the two has no result.
    static bool same_bits(const Arrays& a, const Arrays& b, bool either = true) {
        std::vector<const Reals*> was;
        bool same = true;
        std::size_t next = 0;
        b.for_each_result([&](const Reals& r) { was.push_back(&r); });
        a.for_each_result([&](const Reals& r) { same = same && r.same_bits(*was[next], either), ++next; });
        return same;
    }

    /// Whether results of bodies that are active again are theirs, whoever else is. (Guard cells and faces are walked for in
    /// groups of those of active blocks.)
    [[nodiscard]] bool keeps_bits_of_active() const {
        const Options& o = case_.options;
        return o.active_bits == ActiveBits::same && o.backend == Backend::cpu && case_.layout.guards == Index{} &&
               !case_.layout.faces;
    }

    bool refuse(const Answer& answer, bool bad) {
        if (answer.code == invalid_option && is_elongated()) {
            ++verdict_.refused, verdict_.elongated = true;
            return false;
        }
        const bool may = bad || case_.expect == Expect::either;
        if (!may || answer.code != invalid_input || answer.text.empty())
            return stop(Verdict::Fault::unclear, fmt::format("refused: code {}: {}", answer.code, answer.text));
        ++verdict_.refused;
        return true;
    }

    /// More than the tree's images reach, which the first solve finds.
    [[nodiscard]] bool is_elongated() const {
        const Options& o = case_.options;
        if (!is_periodic(o) || o.periodic_method != PeriodicMethod::images) return false;
        double shortest = INFINITY, longest = 0.0;
        for (std::size_t d = 0; d < 3; ++d) {
            const double side = o.domain->upper[d] - o.domain->lower[d];
            longest = std::max(longest, side);
            if (o.boundary[d] == Boundary::periodic) shortest = std::min(shortest, side);
        }
        return longest > 20.0 * shortest;
    }

    bool is_right(const Bodies& bodies, const Arrays& arrays) {
        Opinion opinion = judge(case_, bodies, arrays, rank_);
        MPI_Allreduce(MPI_IN_PLACE, opinion.worst.data(), 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &opinion.targets, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        verdict_.targets += opinion.targets;
        for (std::size_t d = 0; d < 3; ++d) verdict_.worst[d] = std::max(verdict_.worst[d], opinion.worst[d]);
        const std::string fault = text_of_all(opinion.fault);
        return fault.empty() || stop(Verdict::Fault::wrong, fault);
    }

    /// Of the same bodies as before.
    bool has_same_bits(Arrays arrays, const Step* step) {
        const Options& o = case_.options;
        const bool may_change = o.tolerance > 0.0 || (o.keep_moved && (moved_ || !o.keep_tree)),
                   again = step != nullptr && step->act == Act::again;
        std::string fault;
        if (again && before_ && !may_change && (!step->other_active || keeps_bits_of_active()) &&
            !same_bits(arrays, *before_, !step->other_active))
            fault = "the same input has other bits";
        before_ = std::move(arrays);
        fault = text_of_all(fault);
        return fault.empty() || stop(Verdict::Fault::wrong, fault);
    }

    Case case_;  ///< as it is now
    int rank_ = 0;
    std::unique_ptr<Host> host_, silent_;  ///< silent: never says what has changed
    Bodies bodies_;
    std::optional<Arrays> before_;
    bool moved_ = false;
    bool known_ = false;          ///< the last solve was good
    bool missed_ = false;         ///< the silent host has not been asked for all solves
    bool must_be_found_ = false;  ///< of the next solve
    Verdict verdict_;
};

}  // namespace

Verdict play(const Case& c) { return Play(c).verdict(); }

}  // namespace gravlet::combine
