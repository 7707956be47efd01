// SPDX-License-Identifier: Apache-2.0
// A report as a string of bytes, for ranks that did not take part in the solve.
#pragma once

#include <gravlet/report.hpp>

#include <string>

namespace gravlet {

std::string to_bytes(const Report& report);
Report report_from_bytes(const std::string& bytes);

}  // namespace gravlet
