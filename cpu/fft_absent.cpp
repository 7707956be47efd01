// SPDX-License-Identifier: Apache-2.0
#include "cpu/fft.hpp"

namespace gravlet {

struct CpuFft::Plans {};

CpuFft::CpuFft(const Cpu&, const FftLines&) {}
CpuFft::~CpuFft() = default;
CpuFft::CpuFft(CpuFft&&) noexcept = default;
CpuFft& CpuFft::operator=(CpuFft&&) noexcept = default;
bool CpuFft::is_there() { return false; }
void CpuFft::forward(double*) const {}
void CpuFft::inverse(double*) const {}

}  // namespace gravlet
