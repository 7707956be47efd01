// SPDX-License-Identifier: Apache-2.0
// What a host hears of a solver while it works: for its log, its timers, and patience.
//
//     struct Timed : gravlet::Listener {
//         void begin_stage(const char* stage) override { timers.start(stage); }
//         void end_stage(const char* stage) override { timers.stop(stage); }
//     };
//     gravlet::Solver solver(MPI_COMM_WORLD, {}, std::make_shared<Timed>());
#pragma once

#include <gravlet/export.h>
#include <gravlet/standard.hpp>

namespace gravlet {

/// What a solver calls while it works. Each rank's listener hears of that rank alone, on the thread that is in the solver's call,
/// and of nobody outside such calls. Its functions must not call the solver, which refuses (Error(invalid_input), on this rank
/// alone), nor communicate: other ranks are elsewhere. What they throw, that error included, is dropped, and the call goes on.
/// Strings last as long as the call.
class GRAVLET_API Listener {
public:
    Listener() = default;
    virtual ~Listener();
    Listener(const Listener&) = default;
    Listener& operator=(const Listener&) = default;

    /// What Report::warnings will say too, as soon as it is known: what is said of all solves (why the CPU was taken), once, when
    /// the solver is made.
    virtual void warning(const char* text);

    /// A stage of a solve begins and ends here. One at a time, and each that has begun ends, whatever becomes of the solve. Names
    /// are those of Report::stages; one may come several times in a solve. A device has finished what was queued in a stage
    /// that ends.
    virtual void begin_stage(const char* stage);
    virtual void end_stage(const char* stage);

    /// How much is done, 0 to 1, of what may take long: "direct sum", which theta 0 and measured errors take; "Ewald table", made
    /// with the solver, and "periodic kernel", made in its first solve and in those that ask for more exact images than any
    /// before (tenths of a second to seconds). After interval() seconds for the first time, as often from then on, and at its
    /// end; nothing of what takes less.
    virtual void progress(const char* what, double done);
    [[nodiscard]] virtual double interval() const;

    /// Whether the call is to end. Asked where a stage of a solve begins and, while a CPU walks or sums directly, ten times a
    /// second: true on any rank ends the solve on all of them with Error(cancelled), once the others come to the end of their
    /// stages, and results are left alone. A solve that is about to write its results is not asked any more.
    [[nodiscard]] virtual bool cancelled();
};

}  // namespace gravlet
