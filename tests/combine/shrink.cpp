// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/shrink.hpp"

#include <gravlet/option_list.hpp>

#include <algorithm>

namespace gravlet::combine {
namespace {

class Shrinker {
public:
    Shrinker(Case c, Verdict& verdict, int most) : case_(std::move(c)), verdict_(verdict), left_(most) {}

    Case shrunk() {
        for (std::size_t size = 0; size != size_of_case() && left_ > 0;) {
            size = size_of_case();
            drop_steps();
            drop(&Bodies::points), drop(&Bodies::cells), drop(&Bodies::patches), drop(&Bodies::probes);
            reset_layout();
            reset_options();
        }
        return case_;
    }

private:
    [[nodiscard]] std::size_t size_of_case() const { return as_code(case_).size(); }

    /// Whether the smaller one fails alike, and then is taken.
    bool take(const Case& smaller) {
        if (left_-- <= 0) return false;
        const Bodies& b = smaller.bodies;
        if (b.cells.empty() && b.patches.empty() && b.points.empty()) return false;
        const Verdict verdict = play(smaller);
        if (verdict.fault != verdict_.fault) return false;
        case_ = smaller, verdict_ = verdict;
        return true;
    }
    template <class Change>
    bool try_change(Change change) {
        Case smaller = case_;
        change(smaller);
        return as_code(smaller) != as_code(case_) && take(smaller);
    }

    void drop_steps() {
        if (static_cast<std::size_t>(verdict_.step) < case_.steps.size())
            try_change([&](Case& c) { c.steps.resize(static_cast<std::size_t>(verdict_.step)); });
        for (std::size_t i = case_.steps.size(); i-- > 0;)
            try_change([i](Case& c) { c.steps.erase(c.steps.begin() + static_cast<std::ptrdiff_t>(i)); });
        for (std::size_t i = case_.steps.size(); i-- > 0;) {
            try_change([i](Case& c) { c.steps[i].said = Said::nothing; });
            try_change([i](Case& c) { c.steps[i].other_active = false; });
        }
    }

    /// Runs of them, halved until they are single ones.
    template <class Thing>
    void drop(std::vector<Thing> Bodies::*things) {
        for (std::size_t run = std::max<std::size_t>(1, (case_.bodies.*things).size() / 2); run > 0; run /= 2)
            for (std::size_t i = 0; i < (case_.bodies.*things).size() && left_ > 0;) {
                const bool dropped = try_change([&](Case& c) {
                    auto& all = c.bodies.*things;
                    const auto first = all.begin() + static_cast<std::ptrdiff_t>(i);
                    all.erase(first, first + static_cast<std::ptrdiff_t>(std::min(run, all.size() - i)));
                });
                if (!dropped) i += run;
            }
    }

    void reset_layout() {
        try_change([](Case& c) {
            const bool own = c.layout.own_softenings, cubes = c.layout.cubes;
            c.layout = {};
            c.layout.own_softenings = own, c.layout.cubes = cubes;
        });
        try_change([](Case& c) { c.layout.guards = {}; });
        try_change([](Case& c) { c.layout.faces = false; });
        try_change([](Case& c) { c.layout.apart = c.layout.mirrored = false, c.layout.padding = 0, c.layout.step = 1; });
        try_change([](Case& c) { c.language = Language::cpp; });
        try_change([](Case& c) { c.listener = false; });
        try_change([](Case& c) { c.cells_want = c.points_want = {}; });
        try_change([](Case& c) { c.cells_want.tidal = c.points_want.tidal = false; });
        try_change([](Case& c) {
            for (Cell& cell : c.bodies.cells) cell.active = true;
            for (Patch& patch : c.bodies.patches) patch.active = true;
            for (Point& point : c.bodies.points) point.active = true;
        });
        try_change([](Case& c) {
            for (Cell& cell : c.bodies.cells) cell.rank = 0;
            for (Patch& patch : c.bodies.patches) patch.rank = 0;
            for (Point& point : c.bodies.points) point.rank = 0;
            for (Probe& probe : c.bodies.probes) probe.rank = 0;
        });
        try_change([](Case& c) {
            for (Cell& cell : c.bodies.cells) cell.mass = 1.0;
            for (Point& point : c.bodies.points) point.mass = 1.0;
        });
        try_change([](Case& c) {
            c.options.softening = 0.0, c.layout.own_softenings = false;
            for (Point& point : c.bodies.points) point.softening = 0.0;
        });
    }

    void reset_options() {
        const Options defaults;
        for (const OptionInfo& info : option_list())
            if (info.name != "backend" && info.name != "softening" && info.name != "threads" && info.name != case_.broken)
                try_change([&](Case& c) { set_option(c.options, info.name, get_option(defaults, info.name)); });
    }

    Case case_;
    Verdict& verdict_;
    int left_;
};

}  // namespace

Case shrunk(Case c, Verdict& verdict, int most_plays) { return Shrinker(std::move(c), verdict, most_plays).shrunk(); }

}  // namespace gravlet::combine
