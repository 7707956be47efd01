// SPDX-License-Identifier: Apache-2.0
// The caller's arrays of cells, points and probes, by address.
#pragma once

#include "solver/arrays/lattice.hpp"
#include "solver/input/input.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace gravlet {

/// A contiguous array of cells, points or probes.
struct FlatArray {
    std::int64_t begin, end;
    std::size_t element;  ///< bytes
    const char *name, *whose;
    bool is_result;
};

class FlatArrays {
public:
    void add(const Cells& c) {
        constexpr const char* whose = "cells";
        add(c.x, "x", whose), add(c.y, "y", whose), add(c.z, "z", whose);
        add(c.dx, "dx", whose), add(c.dy, "dy", whose), add(c.dz, "dz", whose);
        add(c.mass, "mass", whose), add(c.active, "active", whose), add(c.source_class, "source_class", whose);
    }
    void add(const Points& p) {
        constexpr const char* whose = "points";
        add(p.x, "x", whose), add(p.y, "y", whose), add(p.z, "z", whose);
        add(p.mass, "mass", whose), add(p.active, "active", whose), add(p.softening, "softening", whose);
        add(p.source_class, "source_class", whose);
    }
    void add(const Probes& p) {
        constexpr const char* whose = "probes";
        add(p.x, "x", whose), add(p.y, "y", whose), add(p.z, "z", whose);
        add(p.fields, whose);
    }
    void add(const Fields& fields, const char* whose) {
        for_results(fields, [&](const ResultSpan& array, std::size_t k) {
            if (!array.empty())
                add(array.data().address(), array.size(), array.data().element_size(), result_components[k].name, whose, true);
        });
    }
    [[nodiscard]] std::span<const FlatArray> all() const { return {arrays_.data(), count_}; }

private:
    void add(const InputSpan& array, const char* name, const char* whose) {
        if (!array.empty()) add(array.data().address(), array.size(), array.data().element_size(), name, whose, false);
    }
    void add(std::span<const std::uint8_t> flags, const char* name, const char* whose) {
        if (!flags.empty()) add(flags.data(), flags.size(), 1, name, whose, false);
    }
    void add(const void* first, std::size_t n, std::size_t element, const char* name, const char* whose, bool is_result) {
        const std::int64_t begin = as_number(first);
        arrays_[count_++] = {begin, begin + static_cast<std::int64_t>(n * element), element, name, whose, is_result};
    }

    static constexpr std::size_t inputs = 8 + 6 + 3;
    std::array<FlatArray, inputs + 3 * result_count> arrays_;
    std::size_t count_ = 0;
};

}  // namespace gravlet
