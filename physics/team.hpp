// SPDX-License-Identifier: Apache-2.0
// Lanes that do one piece of work together: each takes every size-th part of it, and then all have what they found. A backend's
// teams (Execution::Team) are of any size; this one is of one lane, and adds nothing to a loop.
#pragma once

#include "physics/types.hpp"

namespace gravlet {

struct Alone {
    static constexpr std::uint32_t size = 1;
    [[nodiscard]] GRAVLET_HD static std::uint32_t rank() { return 0; }

    /// What lanes have read before, they did before any lane goes on.
    GRAVLET_HD static void join() {}

    /// How many lanes before this one say yes; `all` becomes how many do.
    [[nodiscard]] GRAVLET_HD static std::uint32_t count_before(bool yes, std::uint32_t& all) {
        all = yes ? 1 : 0;
        return 0;
    }

    /// Sum over the lanes before this one.
    [[nodiscard]] GRAVLET_HD static std::uint32_t sum_before(std::uint32_t) { return 0; }

    // Of all lanes' values, the same on all of them.
    template <class T>
    [[nodiscard]] GRAVLET_HD static T sum(T value) {
        return value;
    }
    template <class T>
    [[nodiscard]] GRAVLET_HD static T least(T value) {
        return value;
    }
    template <class T>
    [[nodiscard]] GRAVLET_HD static T most(T value) {
        return value;
    }

    /// Sum over the lanes that are a multiple of `width`, a power of two, from this one.
    template <class T>
    [[nodiscard]] GRAVLET_HD static T sum_across(T value, std::uint32_t) {
        return value;
    }
};

}  // namespace gravlet
