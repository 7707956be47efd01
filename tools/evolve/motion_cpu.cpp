// SPDX-License-Identifier: Apache-2.0
#include "cpu/execution.hpp"
#include "tools/evolve/motion_on.hpp"

namespace gravlet {
namespace {

struct HostFlags {
    std::vector<std::uint8_t> bytes;
    void resize_discard(std::size_t n) { bytes.resize(n); }
    [[nodiscard]] std::uint8_t* data() { return bytes.data(); }
};

}  // namespace

std::unique_ptr<Motion> make_host_motion(int threads, bool tidal, double softening) {
    return std::make_unique<MotionOn<Cpu, Cpu::Machine, HostFlags>>(tidal, softening, threads);
}

}  // namespace gravlet
