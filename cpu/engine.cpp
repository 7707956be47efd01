// SPDX-License-Identifier: Apache-2.0
#include "cpu/batch.hpp"
#include "cpu/cpu.hpp"
#include "cpu/thread_scope.hpp"
#include "solver/backend_engine.hpp"

namespace gravlet {
namespace {

class CpuEngine final : public Engine {
public:
    CpuEngine(const Communicator& comm, const Options& options, int threads)
        : threads_(threads), engine_(comm, options, Cpu{&memory_, threads}) {}

    void prepare(Stages& stages) { engine_.prepare(stages); }
    void solve(Stages& stages, const Input& input, Report& report) override {
        const ThreadScope threads(threads_);
        engine_.solve(stages, input, report);
    }
    [[nodiscard]] bool kept_tree() const override { return engine_.kept_tree(); }

private:
    int threads_;
    MemoryTally memory_;
    BackendEngine<Cpu> engine_;
};

}  // namespace

std::string Cpu::name() const { return std::string("cpu (") + walk_instruction_set() + ")"; }

std::unique_ptr<Engine> make_cpu_engine(Stages& stages, const Communicator& comm, const Options& options, int threads) {
    return prepared_engine(stages, [&] { return std::make_unique<CpuEngine>(comm, options, threads); });
}

}  // namespace gravlet
