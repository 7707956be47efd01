// SPDX-License-Identifier: Apache-2.0
// What the command line says.
#pragma once

#include <gravlet/options.hpp>

#include <string>

namespace core_collapse {

struct Settings {
    std::string problem;             ///< freefall, shu or core
    int coarsest = 2, finest = 4;    ///< levels: a block is 2^-level of the box
    double jeans = 8.0;              ///< cells that the Jeans length shall have
    double end = 0.0;                ///< when it ends, in the problem's unit of time; 0: the problem's own
    int steps = 1 << 30;             ///< the last step
    int every = 10;                  ///< steps between lines of output, and between slices
    bool periodic = false;           ///< gas and gravity
    std::string csv, slices;         ///< a path, a beginning of paths
    std::string checkpoint, resume;  ///< paths of one that is written after step `at`, or at the end; of one to go on from
    int at = 0;
    gravlet::Options gravity{};
};

/// Words `name=value`, after the problem's; a name that begins with "gravlet." is an option of the solver. Throws
/// std::invalid_argument or gravlet::Error.
[[nodiscard]] Settings read_settings(int argc, char** argv);

}  // namespace core_collapse
