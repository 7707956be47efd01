// SPDX-License-Identifier: Apache-2.0
// All of gravlet for C++, for hosts that would rather have one header. <gravlet/solver.hpp> is enough to solve.
#pragma once

#include <gravlet/cells.hpp>
#include <gravlet/error.hpp>
#include <gravlet/listener.hpp>
#include <gravlet/members.hpp>
#include <gravlet/option_list.hpp>
#include <gravlet/options.hpp>
#include <gravlet/reals.hpp>
#include <gravlet/report.hpp>
#include <gravlet/solver.hpp>
#include <gravlet/standard.hpp>
#include <gravlet/steering.hpp>
#include <gravlet/version.hpp>
