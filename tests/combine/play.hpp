// SPDX-License-Identifier: Apache-2.0
// A case is played: solved, judged, and what comes after. Collective over MPI_COMM_WORLD, of which all ranks hear the same
// verdict.
#pragma once

#include "tests/combine/case.hpp"

#include <string>

namespace gravlet::combine {

struct Verdict {
    enum class Fault { none, wrong, unclear };  ///< unclear: refused what is good, or otherwise than it should
    Fault fault = Fault::none;
    std::string text{};
    int step = 0;            ///< at which; 0: the first solve
    bool elongated = false;  ///< refused, as no tree reaches so many images
    int solves = 0, refused = 0, found = 0, targets = 0;
    std::array<double, 3> worst{};  ///< as Opinion
    [[nodiscard]] bool good() const { return fault == Fault::none; }
};

Verdict play(const Case& c);

}  // namespace gravlet::combine
