// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/data/engine.hpp"

#include <string>

namespace gravlet {

/// "cpu (AVX2)": the instruction set is the one that walks use here, by Highway's name.
std::string cpu_name();

/// Collective. `comm`, whose ranks the stages are of, must outlive the engine.
std::unique_ptr<Engine> make_cpu_engine(Stages& stages, const Communicator& comm, const Options& options, int threads);

}  // namespace gravlet
