// SPDX-License-Identifier: Apache-2.0
#include "solver/criterion/steering.hpp"

#include "solver/criterion/alpha.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gravlet {
namespace {

/// At an angle x, 99% of the targets err by error x^power at most. Measured (docs/accuracy.md); orders 1 and 3 are nowhere the
/// cheapest by more than a little.
struct OrderLaw {
    int order;
    double error, power;
};

using Laws = std::array<OrderLaw, 3>;
constexpr Laws fields_of_points = {{{0, 3.6e-3, 2.0}, {2, 1.3e-3, 2.95}, {4, 2.1e-4, 4.85}}};
constexpr Laws fields_of_cells = {{{0, 2.5e-3, 2.2}, {2, 5.0e-4, 3.4}, {4, 1.7e-4, 4.7}}};
constexpr Laws potentials_of_points = {{{0, 8.0e-5, 1.65}, {2, 3.2e-5, 2.6}, {4, 1.7e-6, 3.1}}};
constexpr Laws potentials_of_cells = {{{0, 3.0e-4, 2.1}, {2, 3.6e-5, 2.65}, {4, 1.8e-6, 2.7}}};

/// Opening angles are 1 at most. What stands for an alpha may be longer: such nodes are opened from inside at any alpha.
constexpr double least_angle = 0.1, longest_angle = 1.0, longest_of_alphas = 1.6;
/// Errors in this part of the tolerance are left as they are; others are brought to `aim` of it.
constexpr double lowest = 0.8, aim = 0.9, highest = 1.1;
/// Errors that jump at an angle are not got any nearer than this.
constexpr double narrow = 1.05;
/// Another order is taken if it is predicted to cost less than this share.
constexpr double worth_changing = 0.85;
/// What measuring may cost of all solves. A pair of a direct sum, in double precision, takes as long as so many of a walk (0.7 to
/// 2 were measured, and 39 with the Ewald correction).
constexpr double share = 0.02, direct_pair = 2.0, periodic_pair = 40.0;
constexpr std::int64_t longest_interval = 10000;
constexpr int most_changes = 5;

double measure(const ErrorStatistics& e, ErrorMeasure at) {
    return at == ErrorMeasure::rms ? e.rms : at == ErrorMeasure::p99 ? e.p99 : at == ErrorMeasure::p999 ? e.p999 : e.p9999;
}

/// About how often that is of the error of 99%.
double over_p99(ErrorMeasure at) {
    return at == ErrorMeasure::rms ? 0.3 : at == ErrorMeasure::p99 ? 1.0 : at == ErrorMeasure::p999 ? 2.0 : 4.0;
}

const Laws& laws_of(int derivatives, bool points) {
    if (derivatives > 0) return points ? fields_of_points : fields_of_cells;
    return points ? potentials_of_points : potentials_of_cells;
}

}  // namespace

Steering::Kind Steering::kind_of(const Frame& frame) const {
    const bool fields = frame.derivatives > 0;
    return {options_.tolerance_of == ErrorOf::potential || !fields ? 0 : 1, fields, !frame.cells};
}

double Steering::cost_of(const Choice& choice, const Kind& kind) const {
    const Costs& costs = kind.fields ? (kind.points ? costs_.fields_of_points : costs_.fields_of_cells)
                                     : (kind.points ? costs_.potentials_of_points : costs_.potentials_of_cells);
    return costs[choice.order].cost * std::pow(choice.angle, -costs[choice.order].power);
}

Criterion Steering::criterion_of(const Kind& kind) const {
    if (options_.criterion != Criterion::automatic) return options_.criterion;
    const bool by_table = is_periodic(options_) && options_.periodic_method == PeriodicMethod::table;
    return kind.points && kind.derivatives > 0 && !by_table ? Criterion::acceleration : Criterion::opening;
}

double Steering::angle_for(std::size_t order, const Kind& kind) const {
    const OrderLaw& law = laws_of(kind.derivatives, kind.points)[order];
    const Known& known = known_[order];
    const double asked = aim * options_.tolerance,
                 longest = criterion_of(kind) == Criterion::opening ? longest_angle : longest_of_alphas;
    if (!(knows(kind) && known.angle > 0.0))
        return std::clamp(std::pow(asked / (law.error * bias(kind)), 1.0 / law.power), least_angle, longest);
    // Back by no less than half of what the table says, however steep errors were.
    const double power = known.power > 0.0 ? known.power : law.power;
    double angle =
        known.angle * std::pow(asked / known.error, 1.0 / (known.error > asked ? std::min(power, 2.0 * law.power) : power));
    if (known.good > 0.0 && known.bad > 0.0)
        angle = known.bad < narrow * known.good ? known.good : std::clamp(angle, known.good, std::sqrt(known.good * known.bad));
    return std::clamp(angle, least_angle, longest);
}

double Steering::bias(const Kind& kind) const { return knows(kind) ? bias_ : over_p99(options_.tolerance_at); }

Steering::Choice Steering::best(const Kind& kind, const Choice* now) const {
    const auto cost = [&](std::size_t order) {
        const double angle = angle_for(order, kind);
        // What cannot be had with an order is not to be had cheaply with it.
        return angle > least_angle || order + 1 == order_count ? cost_of({order, angle}, kind) : 1e300;
    };
    std::size_t order = now != nullptr ? now->order : 0;
    for (std::size_t other = 0; other < order_count; ++other)
        if (cost(other) < cost(order) * (now != nullptr && order == now->order ? worth_changing : 1.0)) order = other;
    return {order, angle_for(order, kind)};
}

std::optional<Steering::Choice> Steering::best_measured(const Kind& kind) const {
    std::optional<Choice> cheapest;
    double least = 0.0;
    for (std::size_t order = 0; order < order_count; ++order) {
        const double angle = known_[order].good, cost = cost_of({order, angle}, kind);
        if (angle == 0.0 || (cheapest && cost >= least)) continue;
        cheapest = {order, angle};
        least = cost;
    }
    return cheapest;
}

Steering::Choice Steering::choice(const Kind& kind) const { return knows(kind) ? next_ : best(kind, nullptr); }

Options Steering::taken(const Frame& frame) const {
    const bool acceleration = frame.derivatives > 0;
    if (!(options_.tolerance > 0.0)) return resolved(options_, acceleration);
    if (options_.tolerance_of == ErrorOf::acceleration && !acceleration && (frame.cells || frame.points))
        throw Error(ErrorCode::invalid_option, "tolerance_of is acceleration, and no rank asks for accelerations");
    const Kind kind = kind_of(frame);
    const Choice chosen = choice(kind);
    Options options = options_;
    options.criterion = criterion_of(kind);
    options.order = laws_of(kind.derivatives, kind.points)[chosen.order].order;
    if (is_adaptive(options)) {
        options.alpha = alpha_of_angle(chosen.angle, options, acceleration);
    } else {
        options.theta = chosen.angle;
    }
    return resolved(options, acceleration);
}

std::int64_t Steering::samples(const Frame& frame) const {
    if (!(options_.tolerance > 0.0)) return 0;
    if (knows(kind_of(frame)) && solves_ago_ + 1 < interval_) return 0;
    const ErrorMeasure at = options_.tolerance_at;
    return at == ErrorMeasure::p9999 ? 40000 : at == ErrorMeasure::p999 ? 4000 : 400;
}

void Steering::solved(const Frame& frame, const Options& taken, const Pairs& pairs, Report& report) {
    if (!(options_.tolerance > 0.0)) return;
    const Kind kind = kind_of(frame);
    const std::optional<ErrorStatistics>& errors = kind.derivatives > 0 ? report.acceleration_error : report.potential_error;
    if (samples(frame) > 0 && errors) {
        learn(kind, choice(kind), measure(*errors, options_.tolerance_at), pairs);
    } else {
        ++solves_ago_;
    }
    report.tolerance = {options_.tolerance, reached_, solves_ago_, taken.criterion, taken.theta, taken.alpha, taken.order};
}

void Steering::learn(const Kind& kind, const Choice& taken, double error, const Pairs& pairs) {
    if (!knows(kind)) {
        started_ = true;
        kind_ = kind;
        known_ = {};
        changes_ = 0;
        settled_ = false;
    }
    solves_ago_ = 0;
    reached_ = error;
    const OrderLaw& law = laws_of(kind.derivatives, kind.points)[taken.order];
    Known& known = known_[taken.order];
    const double floor = std::max(error, 1e-12);  // of a few bodies it may be 0
    // Meshes have angles at which errors jump: the power is that between two solves, if their angles differ.
    if (const double apart = known.angle > 0.0 ? std::log(taken.angle / known.angle) : 0.0; std::abs(apart) > 0.05)
        known.power = std::clamp(std::log(floor / known.error) / apart, 0.6 * law.power, 4.0 * law.power);
    known.angle = taken.angle;
    known.error = floor;
    const bool good = error <= highest * options_.tolerance;
    (good ? known.good : known.bad) = taken.angle;
    if (known.good >= known.bad) (good ? known.bad : known.good) = 0.0;  // the mesh is another
    bias_ = floor / (law.error * std::pow(taken.angle, law.power));
    settled_ = settled_ && good;
    const bool kept = settled_ || (good && error >= lowest * options_.tolerance);
    next_ = kept ? taken : best(kind, &taken);
    changes_ = next_ == taken ? 0 : changes_ + 1;
    if (const auto measured = changes_ > most_changes ? best_measured(kind) : std::nullopt) {
        next_ = *measured;
        settled_ = true;
        changes_ = next_ == taken ? 0 : 1;
    }
    const double pair = is_periodic(options_) ? periodic_pair : direct_pair,
                 interval = pairs.walked > 0.0 ? std::ceil(pair * pairs.direct / (share * pairs.walked)) : 1.0;
    interval_ = changes_ == 0 ? static_cast<std::int64_t>(std::min<double>(interval, longest_interval)) : 1;
}

}  // namespace gravlet
