// SPDX-License-Identifier: Apache-2.0
// The study's points, of mass 1 together, in the unit cube that its trees have for a root.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gravlet::bench {

struct StudyPoints {
    std::vector<double> x, y, z, mass;
    [[nodiscard]] std::size_t size() const { return x.size(); }
};

/// A sphere: "hernquist", cut at 100 scales, "plummer", at 30, or "nfw" of concentration 10. The same for the same n on any
/// machine. Throws Error(invalid_input) for another name.
[[nodiscard]] StudyPoints study_points(const std::string& model, std::size_t n);

}  // namespace gravlet::bench
