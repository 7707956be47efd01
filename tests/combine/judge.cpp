// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/judge.hpp"

#include "tests/combine/bounds.hpp"
#include "tests/combine/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gravlet::combine {
namespace {

/// Errors by the number of derivatives, in the reference's units; -1: not wanted.
std::array<double, 3> errors(const Told& told, const Sum& right, const Reference& reference, bool floats) {
    std::array<double, 3> out{-1.0, -1.0, -1.0};
    const auto add = [&](std::size_t d, double got, double expected) {
        if (got == untouched) got = INFINITY;
        const double unit = reference.unit(static_cast<int>(d));
        const bool is_rounded = floats && got == static_cast<double>(static_cast<float>(expected * unit));  // or infinite
        const double error = is_rounded ? 0.0 : std::abs(got / unit - expected);
        out[d] = std::isfinite(error) ? std::hypot(std::max(out[d], 0.0), error) : INFINITY;
    };
    if (!std::isnan(told.potential)) add(0, told.potential, right.potential);
    for (std::size_t d = 0; d < 3; ++d)
        if (!std::isnan(told.acceleration[d])) add(1, told.acceleration[d], right.acceleration[d]);  // a face has one
    for (std::size_t k = 0; k < 6; ++k)
        if (!std::isnan(told.tidal[k])) add(2, told.tidal[k], right.tidal[k]);
    return out;
}

std::string value_of(const Told& told, const Sum& right, std::size_t derivatives, const Reference& reference) {
    const double u = reference.unit(static_cast<int>(derivatives));
    if (derivatives == 0) return fmt::format("{}, right is {}", told.potential, right.potential * u);
    if (derivatives == 1)
        return fmt::format("({}, {}, {}), right is ({}, {}, {})", told.acceleration[0], told.acceleration[1],
                           told.acceleration[2], right.acceleration[0] * u, right.acceleration[1] * u, right.acceleration[2] * u);
    return fmt::format("xx {}, right is {}", told.tidal[0], right.tidal[0] * u);
}

constexpr const char* names[] = {"potential", "acceleration", "tidal tensor"};

/// Whether anything outside a box of the interior and its guards has been written.
bool is_written_beyond(const Reals& array, const Strided& place, const Index& n, const Index& layers) {
    if (array.empty()) return false;
    std::vector<char> mine(array.size(), 0);
    for (int k = -layers[2]; k < n[2] + layers[2]; ++k)
        for (int j = -layers[1]; j < n[1] + layers[1]; ++j)
            for (int i = -layers[0]; i < n[0] + layers[0]; ++i) mine[place.at(i, j, k)] = 1;
    for (std::size_t i = 0; i < array.size(); ++i)
        if (mine[i] == 0 && array[i] != untouched) return true;
    return false;
}

template <class Body>
std::string written_of(const std::vector<Body>& bodies, const BodyArrays& arrays, const char* what, bool failed) {
    std::string fault;
    for (std::size_t i = 0; i < arrays.size(); ++i)
        arrays.results.for_each([&](const Reals& r) {
            if (r.empty()) return;
            const bool touched = r[i] != untouched, wanted = bodies[arrays.number[i]].active && !failed;
            if (touched && !wanted) fault = fmt::format("{} {} has a result that nobody wanted", what, arrays.number[i]);
            if (!touched && wanted) fault = fmt::format("{} {} has no result", what, arrays.number[i]);
        });
    return fault;
}

}  // namespace

Opinion judge(const Case& c, const Bodies& bodies, const Arrays& arrays, int rank) {
    const Reference reference(c.options, bodies);
    const Bounds bounds = bounds_of(c);
    Opinion opinion;
    for (const Target& target : sample_targets(c, bodies, reference, 12)) {
        if (target.rank != rank) continue;
        const Told was = told(target, arrays);
        const Sum right = reference.at(target.place);
        const std::array<double, 3> found = errors(was, right, reference, c.layout.float_results);
        ++opinion.targets;
        for (std::size_t d = 0; d < 3; ++d) {
            const double allowed = bounds.of_sizes[d] * right.sizes[d] + bounds.of_far[d] * reference.far(static_cast<int>(d)) +
                                   (d == 1 ? bounds.of_depth * 0.25 * right.sizes[0] * right.sizes[0] : 0.0) +
                                   2.0 * right.rounding[d] + 1e-30;
            const double ratio = found[d] / allowed;
            opinion.worst[d] = std::max(opinion.worst[d], ratio);
            if (!(ratio <= 1.0) && opinion.fault.empty())
                opinion.fault = fmt::format(
                    "{} of {}: {}: off by {:.2g} of what all bodies add without their signs, {:.2g} times what is allowed",
                    names[d], target.name(), value_of(was, right, d, reference), found[d] / right.sizes[d], ratio);
        }
    }
    return opinion;
}

std::string written(const Bodies& bodies, const Arrays& arrays, const Layout& layout, bool failed) {
    std::string fault = written_of(bodies.cells, arrays.cells, "cell", failed);
    if (fault.empty()) fault = written_of(bodies.points, arrays.points, "point", failed);
    if (fault.empty()) fault = written_of(bodies.probes, arrays.probes, "probe", failed);
    for (const PatchArrays& a : arrays.patches) {
        const Patch& patch = bodies.patches[a.number];
        const bool wanted = patch.active && !failed;
        const auto look = [&](const Reals& r, const Strided& place, Index n, const Index& layers) {
            if (r.empty()) return;
            if (!wanted) n = {};
            if (is_written_beyond(r, place, n, wanted ? layers : Index{}))
                fault = fmt::format("block {} has results that nobody wanted", a.number);
        };
        a.results.for_each([&](const Reals& r) { look(r, a.outputs, patch.n, layout.guards); });
        for (std::size_t d = 0; d < 3; ++d) {
            Index n = patch.n;
            ++n[d];
            look(a.faces[d], a.at_faces[d], n, {});
        }
    }
    return fault;
}

}  // namespace gravlet::combine
