// SPDX-License-Identifier: Apache-2.0
// The targets of the groups that walk, numbered through: what is done for active ones alone need not look at all. Device code may
// hold it.
#pragma once

#include "physics/types.hpp"

#include <cstddef>
#include <cstdint>

namespace gravlet {

struct WalkedFor {
    static constexpr std::size_t nobody = ~std::size_t{0};

    const Group* groups = nullptr;         ///< groups that walk; null: all targets are active
    const std::uint8_t* active = nullptr;  ///< which of them have an active target
    std::size_t group_size = 1;
    std::size_t count = 0;  ///< numbers there are

    /// A target that may be active, along the curve, or nobody.
    [[nodiscard]] GRAVLET_HD std::size_t operator[](std::size_t number) const {
        if (groups == nullptr) return number;
        const std::size_t g = number / group_size, at = number % group_size;
        return active[g] != 0 && at < groups[g].count ? groups[g].begin + at : nobody;
    }
};

}  // namespace gravlet
