// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gravlet/report.hpp>

#include <pybind11/pybind11.h>

namespace gravlet::python {

/// A solve's report as a dict of Report's names; what was not asked for is None.
pybind11::dict to_dict(const Report& report);

}  // namespace gravlet::python
