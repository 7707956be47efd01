// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/play.hpp"

#include "tests/combine/hosts/host.hpp"
#include "tests/combine/judge.hpp"
#include "tests/combine/steps.hpp"

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
        Bodies bodies = case_.bodies;
        if (!solve(bodies, nullptr)) return verdict_;
        for (const Step& step : case_.steps) {
            ++verdict_.step;
            Bodies next = after(step, case_, bodies);
            moved_ = moved_ || step.act == Act::moved || step.act == Act::one_more;
            if (!solve(next, &step)) return verdict_;
            if (!is_bad(step.act)) bodies = std::move(next);
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
        return answer.good() ||
               stop(Verdict::Fault::unclear, fmt::format("options refused: code {}: {}", answer.code, answer.text));
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
        const bool bad = step != nullptr && is_bad(step->act);
        if (!answer.good()) return refuse(answer, bad);
        if (bad) return stop(Verdict::Fault::unclear, fmt::format("{} is accepted", to_string(step->act)));
        ++verdict_.solves;
        return is_right(bodies, arrays) && has_same_bits(std::move(arrays), step);
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
        const bool may_change = o.tolerance > 0.0 || (o.keep_moved && (moved_ || !o.keep_tree));
        std::string fault;
        if (step != nullptr && step->act == Act::again && before_ && !may_change) {
            std::vector<const Reals*> was;
            before_->for_each_result([&](const Reals& r) { was.push_back(&r); });
            std::size_t next = 0;
            arrays.for_each_result([&](const Reals& r) {
                if (!r.same_bits(*was[next++])) fault = "the same input has other bits";
            });
        }
        before_ = std::move(arrays);
        fault = text_of_all(fault);
        return fault.empty() || stop(Verdict::Fault::wrong, fault);
    }

    const Case& case_;
    int rank_ = 0;
    std::unique_ptr<Host> host_;
    std::optional<Arrays> before_;
    bool moved_ = false;
    Verdict verdict_;
};

}  // namespace

Verdict play(const Case& c) { return Play(c).verdict(); }

}  // namespace gravlet::combine
