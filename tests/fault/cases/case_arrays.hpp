// SPDX-License-Identifier: Apache-2.0
// A problem in the caller's arrays.
#pragma once

#include "solver/input/result_arrays.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/fault/cases/case_options.hpp"
#include "tests/hosts/lengths.hpp"

#include <gravlet/cells.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace gravlet::test {

/// A problem in the caller's arrays.
struct Setup {
    Options options = base();
    int levels = 3;            ///< of the mesh; 0: none
    std::size_t points = 0;    ///< on all ranks
    std::size_t probes = 0;    ///< on all ranks
    int derivatives = 0;       ///< of the potential that are wanted
    bool active = false;       ///< two of three targets
    bool few = false;          ///< targets: one of 20, and none on the second rank
    bool lengths = false;      ///< of points
    bool even = false;         ///< nearly: cells have a background
    bool walks_again = false;  ///< in the solver's first solve, of which each call is one
};

struct Arrays {
    BodyArrays mesh, points, places;
    std::vector<std::uint8_t> active_cells, active_points;
    std::vector<double> lengths;

    explicit Arrays(const Setup& setup) {
        if (setup.levels > 0) mesh = part_of(random_mesh(1, setup.levels));
        for (std::size_t i = 0; setup.even && i < mesh.size(); ++i)
            mesh.mass[i] = (1.0 + 1e-3 * static_cast<double>(i % 7)) * std::pow(mesh.dx[i], 3);
        if (setup.points > 0) points = part_of(random_points(2, setup.points));
        if (setup.probes > 0) places = part_of(random_points(9, setup.probes));
        if (setup.lengths) lengths = some_lengths(points.size());
        if (!setup.active && !setup.few) return;
        const auto is_active = [&](std::size_t i) { return setup.few ? i % 20 == 0 && world_rank() != 1 : i % 3 != 0; };
        for (std::size_t i = 0; i < mesh.size(); ++i) active_cells.push_back(is_active(i) ? 1 : 0);
        for (std::size_t i = 0; i < points.size(); ++i) active_points.push_back(is_active(i) ? 1 : 0);
    }
    [[nodiscard]] std::size_t size() const { return mesh.size() + points.size() + places.size(); }
    [[nodiscard]] Cells cells() const { return with_active(mesh.cells(), active_cells); }
    [[nodiscard]] Points masses() const {
        Points all = with_active(points.points(), active_points);
        all.softening = lengths;
        return all;
    }
    [[nodiscard]] Fields cell_fields(std::vector<double>& results, int derivatives) const {
        return fields(results, 0, mesh.size(), derivatives);
    }
    [[nodiscard]] Fields point_fields(std::vector<double>& results, int derivatives) const {
        return fields(results, result_count * mesh.size(), points.size(), derivatives);
    }
    [[nodiscard]] Probes probes(std::vector<double>& results, int derivatives) const {
        return {places.x, places.y, places.z,
                fields(results, result_count * (mesh.size() + points.size()), places.size(), derivatives)};
    }

private:
    template <class T>
    static T with_active(T bodies, const std::vector<std::uint8_t>& active) {
        bodies.active = active;
        return bodies;
    }
    static Fields fields(std::vector<double>& results, std::size_t begin, std::size_t n, int derivatives) {
        std::array<ResultSpan, result_count> arrays;
        for (std::size_t k = 0; k < component_count(derivatives); ++k) arrays[k] = std::span(results).subspan(begin + k * n, n);
        return as_fields(arrays);
    }
};

}  // namespace gravlet::test
