// SPDX-License-Identifier: Apache-2.0
#include "api/options.hpp"

#include "api/option_list.hpp"
#include "ewald/domain.hpp"
#include "physics/precise/full_moments.hpp"
#include "solver/criterion/alpha.hpp"
#include "solver/input/input_checks.hpp"

#include <gravlet/error.hpp>
#include <gravlet/options.hpp>
#include <gravlet/report.hpp>

#include <fmt/format.h>

#include <sstream>

namespace gravlet {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

/// Angle at which sums of order 10 err by 1e-10 (docs/notebook/2026-11-accuracy.md).
constexpr double theta_in_double(bool acceleration) { return acceleration ? 0.35 : 0.5; }

}  // namespace

bool is_adaptive(const Options& options) {
    return options.criterion != Criterion::automatic && options.criterion != Criterion::opening && options.theta != 0.0;
}

Options resolved(Options options, bool acceleration) {
    if (options.criterion == Criterion::automatic) options.criterion = Criterion::opening;
    const bool in_double = options.precision == Precision::double_;
    if (options.order == automatic) options.order = in_double ? max_full_order : acceleration ? 4 : 2;
    if (is_adaptive(options)) {
        if (options.alpha == automatic) options.alpha = automatic_alpha(options, acceleration);
        options.theta = angle_for_far_nodes(options, acceleration);
    }
    if (options.theta == automatic) options.theta = in_double ? theta_in_double(acceleration) : options.order == 4 ? 1.0 : 0.8;
    return options;
}

Options as_taken(Options options, const Report& report) {
    if (!report.tolerance) return options;
    options.tolerance = 0.0;
    options.order = report.tolerance->order;
    options.criterion = report.tolerance->criterion;
    if (is_adaptive(options)) {
        options.alpha = report.tolerance->alpha;
    } else {
        options.theta = report.tolerance->theta;
    }
    return options;
}

void validate(const Options& o) {
    check_each(o);
    check_domain(o);
    if (o.precision == Precision::double_) {
        const auto reject_with = [](const std::string& what) { reject("precision is double, which there is not with " + what); };
        if (o.tolerance != 0.0) reject_with("a tolerance");
        if (Domain(o).by_table()) reject_with("periodic_method table");
    } else if (o.order > max_order) {
        reject(fmt::format("order is {}, must be at most {} with precision single", o.order, max_order));
    }
    const auto check_automatic = [&](const char* name, double value) {
        if (o.tolerance != 0.0 && value != automatic)
            reject(fmt::format("{} is {}, must be {} (automatic) with a tolerance, which decides on it", name, value, automatic));
    };
    check_automatic("theta", o.theta), check_automatic("order", o.order), check_automatic("alpha", o.alpha);
    if (o.criterion != Criterion::automatic && o.criterion != Criterion::opening && Domain(o).by_table())
        reject(fmt::format("criterion is {}, must be opening with periodic_method table", to_string(o.criterion)));
}

void agree_on_options(Stages& stages, const Options& options) {
    std::string ours, first;
    int length = 0;
    stages.local([&] {
        validate(options);
        ours = to_string(options);
        length = static_cast<int>(ours.size());
    });
    stages.collective([&](const Agreed& all) { all.broadcast(&length, 1, 0); });
    stages.local([&] {
        first = ours;
        first.resize(static_cast<std::size_t>(length));
    });
    stages.collective(
        [&](const Agreed& all) { all.check(MPI_Bcast(first.data(), length, MPI_CHAR, 0, all.get()), "MPI_Bcast"); });
    stages.local([&] {
        std::istringstream theirs(first), here(ours);
        for (std::string a, b; std::getline(theirs, a) && std::getline(here, b);)
            if (a != b) reject(fmt::format("options differ between ranks: \"{}\" here, \"{}\" on rank 0", b, a));
    });
    stages.agree();
}

}  // namespace gravlet
