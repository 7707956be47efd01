// SPDX-License-Identifier: Apache-2.0
// Stages with names, on a backend's timeline, in the report, and as the host hears of them.
#pragma once

#include "mpi/stages.hpp"
#include "solver/data/stage_clock.hpp"

namespace gravlet {

template <class Exec>
class TimedStages {
public:
    TimedStages(Stages& stages, const Exec& exec, StageClock& clock) : stages_(stages), exec_(exec), clock_(clock) {}

    template <class F>
    void local(const char* name, F f) const {
        const typename Exec::Range range(name);
        stages_.narrator().begin_stage(name);
        stages_.local([&] {
            stages_.narrator().stop_if_cancelled();
            f();
            exec_.synchronize();
        });
        clock_.lap(name);
    }
    template <class F>
    void collective(const char* name, F f) const {
        const typename Exec::Range range(name);
        stages_.narrator().begin_stage(name);
        stages_.collective(f);
        clock_.lap(name);
    }

private:
    Stages& stages_;
    const Exec& exec_;
    StageClock& clock_;
};

}  // namespace gravlet
