// SPDX-License-Identifier: Apache-2.0
// In a build without CUDA: no GPUs, so that nothing else here is ever called.
#include "benchmarks/gpu_ceiling.hpp"
#include "benchmarks/workload/gpu_calls.hpp"

#include <gravlet/error.hpp>

namespace gravlet::bench {
namespace {

[[noreturn]] void refuse() { throw Error(ErrorCode::not_available, "gravlet_bench was built without CUDA"); }

}  // namespace

int gpu_count() { return 0; }
std::string choose_gpu(int, bool) { refuse(); }
Array::Owner gpu_zeros(Memory, std::size_t) { refuse(); }
void gpu_copy(double*, const double*, std::size_t) { refuse(); }
Ceiling measure_ceiling() { refuse(); }

}  // namespace gravlet::bench
