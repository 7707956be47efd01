// SPDX-License-Identifier: Apache-2.0
// Options::tolerance: the order and the opening angle, or alpha, at which a solve errs as much as was asked for. The first solve
// starts from what test problems needed, later ones from the errors that solves before were measured to have. Nothing is timed
// and nothing is one rank's own: all ranks take the same, and so does a run that is repeated.
//
// Errors go with a power of the angle, and so do the pairs of a walk. Which order is the cheapest for an error follows from both,
// corrected by what was measured (docs/accuracy.md, "Tolerance").
#pragma once

#include "solver/criterion/order_costs.hpp"
#include "solver/data/bodies.hpp"

#include <gravlet/options.hpp>
#include <gravlet/report.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace gravlet {

class Steering {
public:
    Steering(const Options& options, const OrderCosts& costs) : options_(options), costs_(costs) {}

    /// What a solve in this frame takes, as resolved(). Throws Error(invalid_option) if nobody wants the field that the tolerance
    /// is of, and there are bodies; the same on every rank.
    [[nodiscard]] Options taken(const Frame& frame) const;

    /// At how many targets the error of this solve is to be measured. 0: none.
    [[nodiscard]] std::int64_t samples(const Frame& frame) const;

    /// Of all ranks' walks, and of the direct sums that they were compared with.
    struct Pairs {
        double walked = 0.0, direct = 0.0;
    };
    /// After a solve with options `taken` that no rank failed in. Takes its errors from the report if it was measured, and says
    /// there how the tolerance was kept. Allocates nothing.
    void solved(const Frame& frame, const Options& taken, const Pairs& pairs, Report& report);

private:
    static constexpr std::size_t order_count = 3;

    /// What decides which numbers a solve goes by.
    struct Kind {
        int derivatives = 0;  ///< of the field that the tolerance is of
        bool fields = false;  ///< accelerations are wanted
        bool points = false;  ///< and no cells
        bool operator==(const Kind&) const = default;
    };
    struct Choice {
        std::size_t order;  ///< index in the table of orders
        double angle;
        bool operator==(const Choice&) const = default;
    };
    /// What is known of one order.
    struct Known {
        double angle = 0.0, error = 0.0;  ///< of its last solve that was measured; angle 0: none
        double power = 0.0;               ///< of the angle, that its errors go with; 0: the table's
        double good = 0.0, bad = 0.0;     ///< the longest angle that erred little enough, and the shortest that did not; 0: none
    };

    [[nodiscard]] Kind kind_of(const Frame& frame) const;
    [[nodiscard]] bool knows(const Kind& kind) const { return started_ && kind == kind_; }
    [[nodiscard]] double cost_of(const Choice& choice, const Kind& kind) const;
    [[nodiscard]] Criterion criterion_of(const Kind& kind) const;
    [[nodiscard]] Choice choice(const Kind& kind) const;
    [[nodiscard]] Choice best(const Kind& kind, const Choice* now) const;
    [[nodiscard]] std::optional<Choice> best_measured(const Kind& kind) const;
    [[nodiscard]] double angle_for(std::size_t order, const Kind& kind) const;
    [[nodiscard]] double bias(const Kind& kind) const;  ///< by which the table's errors are multiplied
    void learn(const Kind& kind, const Choice& taken, double error, const Pairs& pairs);

    Options options_;
    OrderCosts costs_;
    bool started_ = false;  ///< what follows is of solves of kind_
    Kind kind_;
    Choice next_{};
    std::array<Known, order_count> known_{};
    double bias_ = 1.0;  ///< errors over the table's, in the last solve that was measured
    double reached_ = 0.0;
    std::int64_t solves_ago_ = 0, interval_ = 1;
    int changes_ = 0;       ///< one after the other
    bool settled_ = false;  ///< for what erred little enough, though something cheaper might
};

}  // namespace gravlet
