// SPDX-License-Identifier: Apache-2.0
// Options::tolerance: criterion, order and opening angle, or alpha, at which a solve errs as much as was asked for. The first
// walk takes what test problems needed, later ones, of that solve and of others, what follows from the errors that were measured.
// Nothing is timed and nothing is one rank's own: all ranks take the same, and so does a run that is repeated.
//
// Errors go with a power of the angle, and so do the pairs of a walk. Which order is the cheapest for an error follows from both,
// corrected by what was measured. Where errors no longer fall with the angle steering aims at no less, and says so. On meshes
// another criterion is tried once (docs/notebook/2026-11-accuracy.md, "Tolerance").
#pragma once

#include "solver/criterion/error_laws.hpp"
#include "solver/criterion/order_costs.hpp"
#include "solver/data/bodies.hpp"

#include <gravlet/options.hpp>
#include <gravlet/report.hpp>
#include <gravlet/steering.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gravlet {

class Steering {
public:
    Steering(const Options& options, const OrderCosts& costs) : options_(options), costs_(costs) {}
    /// Options of the solves that follow, of one tolerance.
    void set_options(const Options& options) { options_ = options; }

    // Of a solve, in this order, alike on all ranks:

    /// What a solve had learned that did not come to its end() is forgotten.
    void begin();
    /// What a walk in this frame takes, as resolved(). Throws Error(invalid_option) if nobody wants the field that the tolerance
    /// is of, and there are bodies; the same on every rank.
    [[nodiscard]] Options taken(const Frame& frame) const;
    /// Number of targets at which the error of this solve is to be measured. 0: none.
    [[nodiscard]] std::int64_t samples(const Frame& frame) const;
    /// Pairs of all ranks' walk, and of the direct sums that it was compared with.
    struct Pairs {
        double walked = 0.0, direct = 0.0, targets = 1.0;
    };
    /// Takes in a walk whose errors are in the report. Returns whether another one must follow, of what taken() says then.
    [[nodiscard]] bool walk_again(const Frame& frame, const Pairs& pairs, const Report& report);
    /// Says in the report how the tolerance was kept by a solve that took `taken`.
    void report(const Options& taken, Report& report);
    void end() { underway_ = false; }

    /// What solves have taught, and back (Solver::get_steering()).
    [[nodiscard]] SteeringState get() const;
    void set(const SteeringState& state);
    /// Throws Error(invalid_input) for what no get() gave.
    static void check(const SteeringState& state);

private:
    static constexpr std::size_t order_count = 3;

    /// What decides which numbers a solve goes by.
    struct Kind {
        int derivatives = 0;  ///< derivatives of the field that the tolerance is of
        bool fields = false;  ///< accelerations are wanted
        bool points = false;  ///< points are there, and no cells
        bool operator==(const Kind&) const = default;
    };
    struct Choice {
        Criterion criterion;
        std::size_t order;  ///< index in the table of orders
        double angle;
        bool operator==(const Choice&) const = default;
    };
    /// What is known of one order of a criterion.
    struct Known {
        double angle = 0.0, error = 0.0;  ///< the last walk that was measured; angle 0: none
        double power = 0.0;               ///< power of the angle that its errors go with; 0: the table's
        double good = 0.0, bad = 0.0;     ///< the longest angle that erred little enough, and the shortest that did not; 0: none
        double flat_angle = 0.0, flat_error = 0.0;  ///< angle and error from which on errors have not halved
    };
    /// What solves change of the steering.
    struct State {
        bool started = false;  ///< what follows is of solves of this kind
        Kind kind;
        Choice next{};
        std::array<std::array<Known, order_count>, 2> known{};  ///< what is known of the first criterion, and of the other one
        double bias = 1.0;                                      ///< errors over the table's, in the last walk that was measured
        double reached = 0.0, floor = 0.0;                      ///< floor: of errors, where no angle has less; 0: none is known
        std::int64_t solves_ago = 0, interval = 1;
        int walks = 0;         ///< walks of this solve that were measured
        int changes = 0;       ///< changes of choice in a row
        int misses = 0;        ///< walks in a row that erred too much
        bool settled = false;  ///< a choice that erred little enough is kept, though something cheaper might
        enum class Trial { none, underway, over } trial = Trial::none;  ///< trial of the other criterion
        Choice before_trial{};
        double pairs_before_trial = 0.0;  ///< a target
        double other_cost = 1.0;          ///< pairs of the other criterion over those of the first, at one angle
    };

    /// f(member) for all members of a state, in the order of a SteeringState.
    template <class S, class F>
    static void for_members(S& s, F f);
    [[nodiscard]] static State read(const SteeringState& in);

    [[nodiscard]] Kind kind_of(const Frame& frame) const;
    [[nodiscard]] bool knows(const Kind& kind) const { return s_.started && kind == s_.kind; }
    [[nodiscard]] Criterion first_criterion(const Kind& kind) const;
    [[nodiscard]] bool has_other_criterion(const Kind& kind) const;
    [[nodiscard]] const OrderLaw& law_of(const Choice& choice, const Kind& kind) const;
    [[nodiscard]] const OrderCost& cost_law_of(const Choice& choice, const Kind& kind) const;
    [[nodiscard]] double cost_of(const Choice& choice, const Kind& kind) const;
    /// What is known of a choice; of a kind that is not known, nothing.
    [[nodiscard]] Known known_of(const Choice& choice, const Kind& kind) const;
    [[nodiscard]] double floor_of(const Kind& kind) const { return knows(kind) ? s_.floor : 0.0; }
    [[nodiscard]] double asked(const Kind& kind) const;  ///< what errors are to be, or what the floor leaves of it
    [[nodiscard]] double angle_for(Choice choice, const Kind& kind) const;
    [[nodiscard]] double bias(const Kind& kind) const;  ///< factor by which the table's errors are multiplied
    [[nodiscard]] Choice choice(const Kind& kind) const;
    [[nodiscard]] Choice best(const Kind& kind, const Choice* now) const;
    [[nodiscard]] std::optional<Choice> best_measured(const Kind& kind) const;

    /// Takes in the error of a walk and its pairs a target.
    void learn(const Kind& kind, const Choice& taken, double error, double pairs);
    [[nodiscard]] Known& known_of(const Choice& choice);  ///< what is known of a choice, for the kind of the last walk
    void note(const Choice& taken, double error);
    /// Whether errors are at a floor. If so, what is known becomes that they are no less.
    [[nodiscard]] bool is_at_floor(const Choice& taken, double error);
    void consider_other_criterion(const Choice& taken, bool good, double pairs);

    Options options_;
    OrderCosts costs_;
    State s_, before_;
    bool underway_ = false;
};

}  // namespace gravlet
