// SPDX-License-Identifier: Apache-2.0
// How long a point's step should be, and the levels of block steps: a step of level l is the largest one over 2^l.
#pragma once

#include "physics/types.hpp"

#include <cmath>
#include <cstdint>

namespace gravlet {

/// softening: eta sqrt(softening / |a|). tidal: eta / sqrt(|T|), T the tidal tensor and its Frobenius norm, which needs no
/// softening: at a distance r of a mass it is eta sqrt(r^3/(sqrt(6) G M)). fixed: the largest step for all.
enum class StepKind { fixed, softening, tidal };

struct StepRule {
    StepKind kind = StepKind::softening;
    double eta = 0.2;
    double largest = 0.0;  ///< step, in the caller's time
    int levels = 16;       ///< the deepest one

    /// The step that a point should have, in the caller's time. `tidal2`: square of the tidal tensor's norm.
    [[nodiscard]] GRAVLET_HD double wanted(double acceleration2, double softening, double tidal2) const {
        if (kind == StepKind::softening) return eta * sqrt(softening / sqrt(acceleration2));
        return kind == StepKind::tidal ? eta / sqrt(sqrt(tidal2)) : largest;
    }
    /// The level of the longest step that is no longer than this; deeper than all levels if none is, as for 0.
    [[nodiscard]] GRAVLET_HD int level_of(double step) const {
        double here = largest;
        int level = 0;
        while (level <= levels && !(here <= step)) here *= 0.5, ++level;
        return level;
    }
};

/// Time within a largest step, in the shortest steps that there are: 2^levels of them. A step of level l is 2^(levels - l) long
/// and begins at a multiple of that.
class BlockClock {
public:
    explicit BlockClock(int levels) : levels_(levels) {}

    /// Moves the clock to the end of a step of this level.
    void advance(int level) { now_ += std::int64_t{1} << (levels_ - level); }
    /// The level of the longest step that ends now, and so may begin.
    [[nodiscard]] int least_level() const {
        int level = levels_;
        while (level > 0 && (now_ & (std::int64_t{1} << (levels_ - level))) == 0) --level;
        return level;
    }
    /// The part of the largest step that is over.
    [[nodiscard]] double passed() const { return std::ldexp(static_cast<double>(now_), -levels_); }
    [[nodiscard]] bool at_end() const { return now_ == std::int64_t{1} << levels_; }

private:
    int levels_;
    std::int64_t now_ = 0;
};

}  // namespace gravlet
