// SPDX-License-Identifier: Apache-2.0
// The stages that read the caller's arrays, and those that write them or sum over all bodies.
#pragma once

#include "gpu/transfer/transfer.hpp"
#include "solver/direct_solve.hpp"
#include "solver/errors/conservation.hpp"
#include "solver/errors/sampled_errors.hpp"
#include "solver/essential/remote_twins.hpp"
#include "solver/order/stage_in.hpp"
#include "solver/targets/stage_out.hpp"
#include "solver/tree/refresh.hpp"

#ifndef GRAVLET_CALLER  // empty in the file that compiles these (gpu/CMakeLists.txt)
#define GRAVLET_CALLER extern
#endif

namespace gravlet {

GRAVLET_CALLER template InputScan stage_in(const Gpu&, GpuTransfer&, const Input&, const Options&, bool, InputLook<Gpu>&, Input&);
GRAVLET_CALLER template InputScan scan_blocks(const Gpu&, const GivenBodies&, const BodyLimits&, bool, Gpu::Buffer<InputScan>&);
GRAVLET_CALLER template InputScan scan_each(const Gpu&, const GivenBodies&, std::size_t, const BodyLimits&);
GRAVLET_CALLER template Body read_body(const Gpu&, const GivenBodies&, std::size_t);
GRAVLET_CALLER template bool refresh(const Gpu&, const GivenBodies&, const Frame&, bool, Bodies<Gpu>&,
                                     Gpu::Buffer<std::uint8_t>&);
GRAVLET_CALLER template std::size_t first_untold(const Gpu&, const GivenBodies&, const Frame&, const Bodies<Gpu>&);
GRAVLET_CALLER template std::size_t remote_twin(const Gpu&, const Frame&, const Bodies<Gpu>&, const Source*, std::size_t);
GRAVLET_CALLER template MassSum mass_sum(const Gpu&, const Bodies<Gpu>&);
GRAVLET_CALLER template ForceSum force_sum(const Gpu&, const Bodies<Gpu>&, const Vector3&, const ExactSource*);
GRAVLET_CALLER template double shortest_step(const Gpu&, const GivenBodies&, const Frame&, const Options&, TargetSet<Gpu>&);
GRAVLET_CALLER template std::vector<Body> bodies_at(const Gpu&, const GivenBodies&, const std::vector<std::size_t>&);
GRAVLET_CALLER template void make_sources(const Gpu&, const GivenBodies&, std::size_t, std::size_t, std::int64_t, DirectSource*);
GRAVLET_CALLER template std::vector<Result> results_at(const Gpu&, const std::vector<std::size_t>&, const std::vector<Body>&,
                                                       const Input&, const Frame&, const Options&, TargetSet<Gpu>&);
GRAVLET_CALLER template void write_each(const Gpu&, const Input&, const Frame&, const Options&, TargetSet<Gpu>&);
GRAVLET_CALLER template void stage_out(const Gpu&, const Input&, const Frame&, const Options&, Bodies<Gpu>&);
GRAVLET_CALLER template std::vector<Body> all_bodies(const Gpu&, const GivenBodies&);
GRAVLET_CALLER template std::vector<Vector3> all_probes(const Gpu&, const ProbePlaces&, const Options&);
GRAVLET_CALLER template void DirectSolve<Gpu>::write();

}  // namespace gravlet
