// SPDX-License-Identifier: Apache-2.0
// gravlet's options from an AMReX code's inputs: gravlet.theta = 0.7, gravlet.backend = gpu, ... Header of gravlet::amrex.
#pragma once

#include <gravlet/option_list.hpp>
#include <gravlet/options.hpp>

#include <AMReX_ParmParse.H>

#include <string>

namespace gravlet {

/// Local; inputs are the same on all ranks. `options` with what the inputs say under this prefix, by the names of
/// docs/reference/options.md. (Options::boundary and domain are the geometry's, whatever they say: gravlet_amrex.hpp.) Throws
/// Error(invalid_option) where a value is none of its option.
[[nodiscard]] inline Options amrex_options(Options options = {}, const std::string& prefix = "gravlet") {
    const amrex::ParmParse given(prefix);
    for (const OptionInfo& option : option_list())
        if (std::string value; given.query(option.name.c_str(), value)) set_option(options, option.name, value);
    return options;
}

}  // namespace gravlet
