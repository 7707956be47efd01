// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/synthetic/synthetic_run.hpp"

#include <gravlet/error.hpp>

namespace gravlet::bench {
namespace {

[[noreturn]] void refuse() { throw Error(ErrorCode::not_available, "gravlet_synthetic_ranks was built without CUDA"); }

}  // namespace

std::string gpu_name() { refuse(); }
std::vector<Run> measure_on_gpu(const Settings&, long) { refuse(); }

}  // namespace gravlet::bench
