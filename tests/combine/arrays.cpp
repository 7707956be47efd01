// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/arrays.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace gravlet::combine {
namespace {

constexpr double not_to_be_read = std::numeric_limits<double>::quiet_NaN();

template <class Body>
std::vector<std::size_t> held_by(const std::vector<Body>& bodies, int rank) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies[i].rank == rank) numbers.push_back(i);
    return numbers;
}

template <class Body>
BodyArrays arrays_of(const std::vector<Body>& bodies, const Want& want, const Layout& layout, int rank) {
    BodyArrays out;
    out.number = held_by(bodies, rank);
    const std::size_t n = out.number.size();
    for (Reals& x : out.x) x = Reals(layout.float_positions, n, 0.0);
    if constexpr (requires(Body body) { body.mass; }) out.mass = Reals(layout.float_masses, n, 0.0);
    out.results = Results(want, layout.float_results, n);
    const bool all = std::ranges::all_of(bodies, [](const Body& body) { return body.active; });
    if (!all) out.active.resize(n);
    if constexpr (requires(Body body) { body.source_class; })
        if (std::ranges::any_of(bodies, [](const Body& body) { return body.source_class != Body().source_class; }))
            for (const std::size_t i : out.number) out.source_class.push_back(static_cast<std::uint8_t>(bodies[i].source_class));
    for (std::size_t i = 0; i < n; ++i) {
        const Body& body = bodies[out.number[i]];
        for (std::size_t d = 0; d < 3; ++d) out.x[d].set(i, body.x[d]);
        if constexpr (requires { body.mass; }) out.mass.set(i, body.mass);
        if (!all) out.active[i] = body.active ? 1 : 0;
    }
    return out;
}

/// Of an array of `n` values with layers around them.
Strided lay_out(const Index& n, const Index& layers, const Layout& layout) {
    Strided out;
    std::ptrdiff_t step = layout.step;
    for (const int axis : layout.axes) {
        const auto d = static_cast<std::size_t>(axis);
        const std::ptrdiff_t extent = n[d] + 2 * layers[d];
        const bool down = layout.mirrored && axis == layout.axes[0];
        out.stride[d] = down ? -step : step;
        out.first += step * (down ? extent - 1 - layers[d] : layers[d]);
        step *= extent;
    }
    out.size = static_cast<std::size_t>(step);
    return out;
}

/// visit(i, j, k), x fastest.
template <class F>
void for_box(const Index& n, F visit) {
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) visit(i, j, k);
}

PatchArrays arrays_of(const Patch& patch, const Want& want, const Layout& layout) {
    PatchArrays out;
    Index layers = layout.guards;
    for (int& layer : layers) layer += layout.padding;
    Layout other = layout;
    std::ranges::reverse(other.axes), other.step += 1;
    out.inputs = lay_out(patch.n, layers, layout);
    out.outputs = layout.apart ? lay_out(patch.n, layers, other) : out.inputs;
    const bool even = layout.apart && std::ranges::count(patch.density, patch.density.front()) ==
                                          static_cast<std::ptrdiff_t>(patch.density.size());
    if (even) out.inputs = {1, 0, {0, 0, 0}};
    out.density = Reals(layout.float_masses, out.inputs.size, not_to_be_read);
    std::size_t next = 0;
    for_box(patch.n, [&](int i, int j, int k) { out.density.set(out.inputs.at(i, j, k), patch.density[next++]); });
    out.results = Results(want, layout.float_results, out.outputs.size);
    for (std::size_t d = 0; layout.faces && d < 3; ++d) {
        Index n = patch.n;
        ++n[d];
        out.at_faces[d] = layout.apart ? lay_out(n, {}, other) : lay_out(n, {}, Layout{});
        out.faces[d] = Reals(layout.float_results, out.at_faces[d].size, untouched);
    }
    return out;
}

Block block_of(const Patch& patch, PatchArrays& arrays, const Layout& layout) {
    Block block;
    block.lower = patch.lower, block.cell_size = patch.side, block.n = patch.n, block.active = patch.active;
    block.stride = arrays.inputs.stride;
    block.density = arrays.density.at(static_cast<std::size_t>(arrays.inputs.first));
    const auto first = [&](Reals& r, const Strided& strided) {
        return r.empty() ? ResultPointer() : r.at(static_cast<std::size_t>(strided.first));
    };
    block.potential = first(arrays.results.potential, arrays.outputs);
    for (std::size_t d = 0; d < 3; ++d) {
        block.acceleration[d] = first(arrays.results.acceleration[d], arrays.outputs);
        block.face_acceleration[d] = first(arrays.faces[d], arrays.at_faces[d]);
        if (layout.apart && layout.faces) block.face_stride[d] = arrays.at_faces[d].stride;
    }
    for (std::size_t k = 0; k < 6; ++k) block.tidal[k] = first(arrays.results.tidal[k], arrays.outputs);
    if (layout.apart) block.result_stride = arrays.outputs.stride;
    block.result_guards = layout.guards;
    return block;
}

}  // namespace

Reals::Reals(bool single, std::size_t size, double value) : single_(single) {
    if (single) floats_.assign(size, static_cast<float>(value));
    if (!single) doubles_.assign(size, value);
}

void Reals::set(std::size_t i, double value) {
    if (single_) floats_[i] = static_cast<float>(value);
    if (!single_) doubles_[i] = value;
}

ResultPointer Reals::at(std::size_t i) {
    return single_ ? ResultPointer(floats_.data() + i) : ResultPointer(doubles_.data() + i);
}

ResultSpan Reals::span() { return empty() ? ResultSpan() : ResultSpan(at(0), size()); }

bool Reals::same_bits(const Reals& other, bool either) const {
    if (single_ != other.single_ || size() != other.size()) return false;
    const auto same = [=](auto x, auto y) {
        const auto bits = [](auto value) { return std::bit_cast<std::array<std::byte, sizeof value>>(value); };
        return bits(x) == bits(y) || (!either && (static_cast<double>(x) == untouched || static_cast<double>(y) == untouched));
    };
    return std::ranges::equal(doubles_, other.doubles_, same) && std::ranges::equal(floats_, other.floats_, same);
}

Results::Results(const Want& want, bool single, std::size_t size) {
    if (want.potential) potential = Reals(single, size, untouched);
    if (want.acceleration) acceleration.fill(Reals(single, size, untouched));
    if (want.tidal) tidal.fill(Reals(single, size, untouched));
}

Fields Results::fields() {
    Fields out;
    out.potential = potential.span();
    for (std::size_t d = 0; d < 3; ++d) out.acceleration[d] = acceleration[d].span();
    for (std::size_t k = 0; k < 6; ++k) out.tidal[k] = tidal[k].span();
    return out;
}

Arrays hand_over(const Case& c, const Bodies& bodies, int rank) {
    Arrays out;
    out.has_patches = !bodies.patches.empty();
    out.has_mesh = out.has_patches || !bodies.cells.empty();
    out.has_points = !bodies.points.empty();
    out.has_probes = !bodies.probes.empty();
    out.cells = arrays_of(bodies.cells, c.cells_want, c.layout, rank);
    out.points = arrays_of(bodies.points, c.points_want, c.layout, rank);
    out.probes = arrays_of(bodies.probes, c.points_want, c.layout, rank);
    const std::size_t n = out.cells.size();
    for (std::size_t d = 0; d < 3; ++d) {
        if (d > 0 && c.layout.cubes) continue;
        out.cells.side[d] = Reals(c.layout.float_positions, n, 0.0);
        for (std::size_t i = 0; i < n; ++i) out.cells.side[d].set(i, bodies.cells[out.cells.number[i]].side[d]);
    }
    if (c.layout.own_softenings) {
        out.points.softening = Reals(c.layout.float_masses, out.points.size(), 0.0);
        for (std::size_t i = 0; i < out.points.size(); ++i)
            out.points.softening.set(i, bodies.points[out.points.number[i]].softening);
    }
    for (const std::size_t number : held_by(bodies.patches, rank)) {
        out.patches.push_back(arrays_of(bodies.patches[number], c.cells_want, c.layout));
        out.patches.back().number = number;
    }
    for (PatchArrays& patch : out.patches) out.blocks.push_back(block_of(bodies.patches[patch.number], patch, c.layout));
    return out;
}

}  // namespace gravlet::combine
