// SPDX-License-Identifier: Apache-2.0
#include "solver/criterion/steering.hpp"

#include "ewald/domain.hpp"
#include "solver/criterion/alpha.hpp"

#include <gravlet/error.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace gravlet {
namespace {

/// Opening angles are 1 at most. What stands for an alpha may be longer: such nodes are opened from inside at any alpha.
constexpr double least_angle = 0.1, longest_angle = 1.0, longest_of_alphas = 1.6;
/// Errors in this part of what is asked are left as they are; others are brought to `aim` of it, after each walk in a row that
/// missed to less. What a sample shows is known to a fifth or so.
constexpr double lowest = 0.75, aim = 0.88, highest = 1.0, after_a_miss = 0.8;
/// A tolerance counts as kept up to so much of it.
constexpr double kept_within = 1.2;
/// Errors that do not halve where the angle becomes so much shorter, and the table has them fall to a quarter, have reached a
/// floor (those of meshes are flat for a bit between jumps); where that is so near to what is asked that it may yet be kept, to a
/// sixteenth. So much of the floor is asked for then.
constexpr double halving = 0.5, much_shorter = 0.625, quarter = 0.25, sixteenth = 0.0625, above_floor = 1.5;
/// Errors that jump at an angle are not got any nearer than this.
constexpr double narrow = 1.05;
/// Share of the cost that another order, or criterion, must be predicted to stay below to be taken.
constexpr double worth_changing = 0.85, worth_another_criterion = 0.75;
/// What measuring may cost of all solves. A pair of a direct sum, in double precision, takes as long as so many of a walk (0.7 to
/// 2 were measured, and 39 with the Ewald correction).
constexpr double share = 0.02, direct_pair = 2.0, periodic_pair = 40.0;
constexpr std::int64_t longest_interval = 10000;
constexpr int most_changes = 5;
constexpr double out_of_reach = 1e300;

double measure(const ErrorStatistics& e, ErrorMeasure at) {
    return at == ErrorMeasure::rms ? e.rms : at == ErrorMeasure::p99 ? e.p99 : at == ErrorMeasure::p999 ? e.p999 : e.p9999;
}

/// About how many times the error of 99% a measure is.
double over_p99(ErrorMeasure at) {
    return at == ErrorMeasure::rms ? 0.3 : at == ErrorMeasure::p99 ? 1.0 : at == ErrorMeasure::p999 ? 2.0 : 4.0;
}

/// The first of a SteeringState: another one where its members are others.
constexpr double steering_version = 1.0;
constexpr double largest_value = 2e9;  // which an int holds

}  // namespace

Steering::Kind Steering::kind_of(const Frame& frame) const {
    const bool fields = frame.derivatives > 0;
    return {options_.tolerance_of == ErrorOf::potential || !fields ? 0 : 1, fields, !frame.cells};
}

Criterion Steering::first_criterion(const Kind& kind) const {
    if (options_.criterion != Criterion::automatic) return options_.criterion;
    return kind.points && kind.derivatives > 0 && !Domain(options_).by_table() ? Criterion::acceleration : Criterion::opening;
}

bool Steering::has_other_criterion(const Kind& kind) const {
    return options_.criterion == Criterion::automatic && !kind.points && kind.derivatives > 0 && !Domain(options_).by_table();
}

const OrderLaw& Steering::law_of(const Choice& choice, const Kind& kind) const {
    const Laws& laws = kind.derivatives == 0                    ? kind.points ? potentials_of_points : potentials_of_cells
                       : choice.criterion == Criterion::opening ? kind.points ? fields_of_points : fields_of_cells
                       : kind.points                            ? adaptive_fields_of_points
                                                                : adaptive_fields_of_cells;
    return laws[choice.order];
}

const OrderCost& Steering::cost_law_of(const Choice& choice, const Kind& kind) const {
    const Costs& costs = choice.criterion != Criterion::opening ? costs_.adaptive
                         : kind.fields                          ? (kind.points ? costs_.fields_of_points : costs_.fields_of_cells)
                                       : (kind.points ? costs_.potentials_of_points : costs_.potentials_of_cells);
    return costs[choice.order];
}

double Steering::cost_of(const Choice& choice, const Kind& kind) const {
    const OrderCost& law = cost_law_of(choice, kind);
    const bool other = choice.criterion != first_criterion(kind);
    return law.cost * std::pow(choice.angle, -law.power) * (other ? s_.other_cost : 1.0);
}

Steering::Known Steering::known_of(const Choice& choice, const Kind& kind) const {
    return knows(kind) ? s_.known[choice.criterion == first_criterion(kind) ? 0 : 1][choice.order] : Known{};
}

double Steering::asked(const Kind& kind) const {
    const double floor = floor_of(kind), tolerance = options_.tolerance;
    if (floor == 0.0) return tolerance;
    return floor <= kept_within * tolerance ? kept_within * tolerance : above_floor * floor;
}

double Steering::bias(const Kind& kind) const { return knows(kind) ? s_.bias : over_p99(options_.tolerance_at); }

double Steering::angle_for(Choice choice, const Kind& kind) const {
    const OrderLaw& law = law_of(choice, kind);
    const Known known = known_of(choice, kind);
    const int misses = knows(kind) ? s_.misses : 0;
    const double goal = aim * asked(kind) * std::pow(after_a_miss, std::max(0, misses - 1)),
                 longest = choice.criterion == Criterion::opening ? longest_angle : longest_of_alphas;
    if (known.angle == 0.0) return std::clamp(std::pow(goal / (law.error * bias(kind)), 1.0 / law.power), least_angle, longest);
    double error = known.error, power = known.power > 0.0 ? known.power : law.power;
    if (error > goal) {  // back by no less than half of what the table says, however steep errors were
        power = std::min(power, 2.0 * law.power);
    } else if (floor_of(kind) > 0.0) {  // half of the way, by its logarithm, to where the table has them
        error = std::min(error, error_at(law, known.angle) * over_p99(options_.tolerance_at));
        power = 2.0 * law.power;
    }
    double angle = known.angle * std::pow(goal / error, 1.0 / power);
    if (known.good > 0.0 && known.bad > 0.0)
        angle = known.bad < narrow * known.good ? known.good : std::clamp(angle, known.good, std::sqrt(known.good * known.bad));
    return std::clamp(angle, least_angle, longest);
}

Steering::Choice Steering::best(const Kind& kind, const Choice* now) const {
    const auto with = [&](std::size_t order) {
        Choice choice{now != nullptr ? now->criterion : first_criterion(kind), order, 0.0};
        choice.angle = angle_for(choice, kind);
        return choice;
    };
    const auto cost = [&](std::size_t order) {
        const Choice choice = with(order);
        // What cannot be had with an order is not to be had cheaply with it.
        return choice.angle > least_angle || order + 1 == order_count ? cost_of(choice, kind) : out_of_reach;
    };
    std::size_t order = now != nullptr ? now->order : 0;
    for (std::size_t other = 0; other < order_count; ++other)
        if (cost(other) < cost(order) * (now != nullptr && order == now->order ? worth_changing : 1.0)) order = other;
    return with(order);
}

std::optional<Steering::Choice> Steering::best_measured(const Kind& kind) const {
    std::optional<Choice> cheapest;
    for (const Criterion criterion : {first_criterion(kind), Criterion::acceleration}) {
        for (std::size_t order = 0; order < order_count; ++order) {
            Choice choice{criterion, order, 0.0};
            choice.angle = known_of(choice, kind).good;
            if (choice.angle > 0.0 && (!cheapest || cost_of(choice, kind) < cost_of(*cheapest, kind))) cheapest = choice;
        }
    }
    return cheapest;
}

Steering::Choice Steering::choice(const Kind& kind) const { return knows(kind) ? s_.next : best(kind, nullptr); }

void Steering::begin() {
    if (underway_) s_ = before_;
    before_ = s_;
    underway_ = true;
    s_.walks = 0;
}

Options Steering::taken(const Frame& frame) const {
    const bool acceleration = frame.derivatives > 0;
    if (!(options_.tolerance > 0.0)) return resolved(options_, acceleration);
    if (options_.tolerance_of == ErrorOf::acceleration && !acceleration && (frame.cells || frame.points))
        throw Error(ErrorCode::invalid_option, "tolerance_of is acceleration, and no rank asks for accelerations");
    const Kind kind = kind_of(frame);
    const Choice chosen = choice(kind);
    Options options = options_;
    options.criterion = chosen.criterion;
    options.order = law_of(chosen, kind).order;
    if (is_adaptive(options)) {
        options.alpha = alpha_of_angle(chosen.angle, options, acceleration);
    } else {
        options.theta = chosen.angle;
    }
    return resolved(options, acceleration);
}

std::int64_t Steering::samples(const Frame& frame) const {
    if (!(options_.tolerance > 0.0)) return 0;
    if (knows(kind_of(frame)) && s_.solves_ago + 1 < s_.interval) return 0;
    const ErrorMeasure at = options_.tolerance_at;
    return at == ErrorMeasure::p9999 ? 40000 : at == ErrorMeasure::p999 ? 4000 : 400;
}

bool Steering::walk_again(const Frame& frame, const Pairs& pairs, const Report& report) {
    const Kind kind = kind_of(frame);
    const Choice taken = choice(kind);
    const ErrorStatistics& errors = (kind.derivatives > 0 ? report.acceleration_error : report.potential_error).value();
    const double error = measure(errors, options_.tolerance_at);
    learn(kind, taken, error, pairs.walked / pairs.targets);
    const double pair = Domain(options_).has_images() ? periodic_pair : direct_pair,
                 interval = pairs.walked > 0.0 ? std::ceil(pair * pairs.direct / (share * pairs.walked)) : 1.0;
    s_.interval = s_.next == taken ? static_cast<std::int64_t>(std::min<double>(interval, longest_interval)) : 1;
    return error > highest * asked(kind) && !(s_.next == taken) && s_.walks < options_.tolerance_effort;
}

void Steering::report(const Options& taken, Report& report) {
    if (!(options_.tolerance > 0.0)) return;
    if (s_.walks == 0) ++s_.solves_ago;
    report.tolerance = {.asked = options_.tolerance,
                        .reached = s_.reached,
                        .kept = s_.reached <= kept_within * options_.tolerance,
                        .floor = s_.floor,
                        .walks = std::max(1, s_.walks),
                        .solves_ago = s_.solves_ago,
                        .criterion = taken.criterion,
                        .theta = taken.theta,
                        .alpha = taken.alpha,
                        .order = taken.order};
}

template <class S, class F>
void Steering::for_members(S& s, F f) {
    const auto choice = [&f](auto& c) { f(c.criterion), f(c.order), f(c.angle); };
    f(s.started), f(s.kind.derivatives), f(s.kind.fields), f(s.kind.points);
    choice(s.next);
    for (auto& of_criterion : s.known)
        for (auto& k : of_criterion) f(k.angle), f(k.error), f(k.power), f(k.good), f(k.bad), f(k.flat_angle), f(k.flat_error);
    f(s.bias), f(s.reached), f(s.floor), f(s.solves_ago), f(s.interval), f(s.walks), f(s.changes), f(s.misses), f(s.settled);
    f(s.trial);
    choice(s.before_trial);
    f(s.pairs_before_trial), f(s.other_cost);
}

SteeringState Steering::get() const {
    SteeringState out{};
    const State& state = underway_ ? before_ : s_;
    if (!state.started) return out;
    std::size_t next = 0;
    out[next++] = steering_version;
    for_members(state, [&](const auto& member) { out.at(next++) = static_cast<double>(member); });
    return out;
}

Steering::State Steering::read(const SteeringState& in) {
    const auto reject = [] {
        throw Error(ErrorCode::invalid_input, "steering: these values are none that this version of gravlet has written");
    };
    State state;
    if (std::ranges::all_of(in, [](double value) { return value == 0.0; })) return state;
    std::size_t next = 0;
    if (in[next++] != steering_version) reject();
    for_members(state, [&](auto& member) {
        using Member = std::remove_reference_t<decltype(member)>;
        const double value = in.at(next++);
        if (!(value >= 0.0 && value <= largest_value)) reject();
        member = static_cast<Member>(value);
        if (static_cast<double>(member) != value) reject();
    });
    const auto known = [](const Choice& c) { return c.order < order_count && c.criterion <= Criterion::multipole; };
    if (!state.started || !known(state.next) || !known(state.before_trial) || state.trial > State::Trial::over) reject();
    return state;
}

void Steering::check(const SteeringState& state) { static_cast<void>(read(state)); }

void Steering::set(const SteeringState& state) {
    s_ = before_ = read(state);
    underway_ = false;
}

void Steering::learn(const Kind& kind, const Choice& taken, double error, double pairs) {
    if (!knows(kind)) {
        const int walks = s_.walks;
        s_ = {};
        s_.started = true;
        s_.kind = kind;
        s_.walks = walks;
    }
    ++s_.walks;
    s_.solves_ago = 0;
    s_.reached = error;
    if (error < halving * s_.floor || error <= highest * options_.tolerance) s_.floor = 0.0;
    note(taken, std::max(error, 1e-12));  // of a few bodies it may be 0
    const bool good = error <= highest * asked(kind);
    s_.misses = good ? 0 : s_.misses + 1;
    s_.settled = s_.settled && good;
    if (!good && is_at_floor(taken, error)) {
        s_.next = {taken.criterion, taken.order, angle_for(taken, kind)};
    } else {
        const bool kept = s_.settled || (good && error >= lowest * asked(kind));
        s_.next = kept ? taken : best(kind, &taken);
    }
    consider_other_criterion(taken, good, pairs);
    s_.changes = s_.next == taken ? 0 : s_.changes + (good ? 1 : 0);
    if (const auto measured = s_.changes > most_changes ? best_measured(kind) : std::nullopt) {
        s_.next = *measured;
        s_.settled = true;
        s_.changes = s_.next == taken ? 0 : 1;
    }
}

Steering::Known& Steering::known_of(const Choice& choice) {
    return s_.known[choice.criterion == first_criterion(s_.kind) ? 0 : 1][choice.order];
}

void Steering::note(const Choice& taken, double error) {
    const OrderLaw& law = law_of(taken, s_.kind);
    Known& known = known_of(taken);
    // Meshes have angles at which errors jump: the power is that between two walks, if their angles differ.
    if (const double apart = known.angle > 0.0 ? std::log(taken.angle / known.angle) : 0.0; std::abs(apart) > 0.05)
        known.power = std::clamp(std::log(error / known.error) / apart, 0.6 * law.power, 4.0 * law.power);
    known.angle = taken.angle;
    known.error = error;
    const bool good = error <= highest * asked(s_.kind);
    (good ? known.good : known.bad) = taken.angle;
    if (known.good >= known.bad) (good ? known.bad : known.good) = 0.0;  // the mesh is another
    s_.bias = error / error_at(law, taken.angle);
    const bool flat = taken.angle < known.flat_angle && error > halving * known.flat_error && error * halving < known.flat_error;
    if (!flat) known.flat_angle = taken.angle, known.flat_error = error;
}

bool Steering::is_at_floor(const Choice& taken, double error) {
    const OrderLaw& law = law_of(taken, s_.kind);
    Known& known = known_of(taken);
    const bool shortest = taken.order + 1 == order_count && taken.angle <= least_angle,
               near = error > kept_within * options_.tolerance && error < above_floor * options_.tolerance;
    const double fall = error_at(law, taken.angle) / error_at(law, known.flat_angle);
    if (!shortest && (taken.angle > much_shorter * known.flat_angle || fall > (near ? sixteenth : quarter))) return false;
    s_.floor = std::min(error, known.flat_error);
    known.angle = known.good = known.flat_angle;
    known.error = known.flat_error;
    known.bad = 0.0;
    s_.misses = 0;
    return true;
}

void Steering::consider_other_criterion(const Choice& taken, bool good, double pairs) {
    using enum State::Trial;
    if (s_.trial == underway) {
        s_.trial = over;
        s_.other_cost = 1.0;
        s_.other_cost = pairs / s_.pairs_before_trial * cost_of(s_.before_trial, s_.kind) / cost_of(taken, s_.kind);
        if (cost_of(s_.next, s_.kind) < worth_another_criterion * cost_of(s_.before_trial, s_.kind)) return;
        s_.next = s_.before_trial;
        s_.settled = true;
    } else if (s_.trial == none && good && s_.next == taken && s_.floor == 0.0 && pairs > 0.0 && has_other_criterion(s_.kind)) {
        s_.trial = underway;
        s_.changes = 0;
        s_.before_trial = taken;
        s_.pairs_before_trial = pairs;
        s_.next.criterion = Criterion::acceleration;
        s_.next.angle = angle_for(s_.next, s_.kind);
    }
}

}  // namespace gravlet
