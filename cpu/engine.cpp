// SPDX-License-Identifier: Apache-2.0
#include "cpu/batch.hpp"
#include "cpu/cpu.hpp"
#include "solver/backend_engine.hpp"
#include "solver/threads.hpp"

namespace gravlet {
namespace {

class CpuEngine final : public Engine {
public:
    CpuEngine(const Communicator& comm, const Options& options, int threads)
        : threads_(threads), engine_(comm, options, Cpu{&memory_, threads}) {}

    Report solve(const Input& input) override {
        const ThreadScope threads(threads_);
        return engine_.solve(input);
    }
    [[nodiscard]] bool kept_tree() const override { return engine_.kept_tree(); }

private:
    int threads_;
    MemoryTally memory_;
    BackendEngine<Cpu> engine_;
};

}  // namespace

std::string Cpu::name() const { return std::string("cpu (") + walk_instruction_set() + ")"; }

std::unique_ptr<Engine> make_cpu_engine(const Communicator& comm, const Options& options, int threads) {
    return std::make_unique<CpuEngine>(comm, options, threads);
}

}  // namespace gravlet
