// SPDX-License-Identifier: Apache-2.0
// What the reader and the writer of snapshots share: which data set holds which arrays, and rows that are taken some at a time,
// so that neither holds a second copy of all.
#pragma once

#include "amr_adapter/files/gadget_file.hpp"
#include "hdf5/hdf5_file.hpp"
#include "physics/path_size.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace gravlet {

inline constexpr std::size_t gadget_types = 6;
inline constexpr const char* gadget_ids = "ParticleIDs";

/// "PartType1", "PartType1/Velocities"
[[nodiscard]] inline std::string gadget_group(std::size_t type) { return "PartType" + std::to_string(type); }
[[nodiscard]] inline std::string gadget_set(std::size_t type, const char* name) { return gadget_group(type) + "/" + name; }

/// A data set of real numbers, one or three a point, and its arrays.
template <class Array>
struct GadgetField {
    const char* name = "";
    bool needed = false;
    std::array<Array*, 3> arrays{};
    std::size_t width = 0;  ///< 1 or 3

    [[nodiscard]] std::span<Array* const> parts() const { return std::span(arrays).first(width); }
    [[nodiscard]] Shape shape(hsize_t rows) const { return width == 1 ? Shape{rows} : Shape{rows, width}; }
};

/// The fields of a Snapshot, to be filled, or of a const Snapshot.
template <class S>
[[nodiscard]] auto gadget_fields(S& s) {
    using Field = GadgetField<std::conditional_t<std::is_const_v<S>, const std::vector<double>, std::vector<double>>>;
    auto& p = s.points;
    return std::array{Field{"Coordinates", true, {&p.x, &p.y, &p.z}, 3},
                      Field{"Velocities", true, {&p.velocity[0], &p.velocity[1], &p.velocity[2]}, 3},
                      Field{"Masses", true, {&p.mass}, 1},
                      Field{"Softening", false, {&p.softening}, 1},
                      Field{"Potential", false, {&s.potential}, 1},
                      Field{"Acceleration", false, {&s.acceleration[0], &s.acceleration[1], &s.acceleration[2]}, 3}};
}

/// Calls f(first, n) for all of `count` rows, some at a time.
template <class F>
void for_some_rows(std::size_t count, F&& f) {
    constexpr std::size_t most = path_size(1 << 18, 70);
    for (std::size_t first = 0; first < count; first += most) f(first, std::min(most, count - first));
}

}  // namespace gravlet
