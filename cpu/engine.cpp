// SPDX-License-Identifier: Apache-2.0
#include "cpu/engine.hpp"

#include "cpu/cpu.hpp"
#include "solver/backend_engine.hpp"
#include "solver/redistribute/redistribute_engine.hpp"

namespace gravlet {

std::string Cpu::name() const { return cpu_name(); }

std::unique_ptr<Engine> make_cpu_engine(Stages& stages, const Communicator& comm, const Options& options, int threads) {
    return redistributed(stages, comm, options, threads,
                         prepared_engine(stages, [&] { return std::make_unique<BackendEngine<Cpu>>(comm, options, threads); }),
                         [] { return nullptr; });
}

}  // namespace gravlet
