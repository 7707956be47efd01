// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/hosts/c_arrays.hpp"

#include "amr_adapter/c/handle.hpp"

#include <algorithm>

namespace gravlet::combine {
namespace {

/// A union's two members are pointers of one size; which is meant, `floats` says.
const double* input(const Reals& r) { return r.single() ? reinterpret_cast<const double*>(r.floats()) : r.doubles(); }
double* result(Reals& r) { return const_cast<double*>(input(r)); }
double* place(ResultPointer p) { return static_cast<double*>(p.address()); }

std::int32_t floats_of(const BodyArrays& b) {
    return (b.x[0].single() ? GRAVLET_FLOAT_POSITIONS : 0) | (b.mass.single() ? GRAVLET_FLOAT_MASSES : 0);
}

}  // namespace

gravlet_options c_options(const Options& o) {
    gravlet_options c;
    gravlet_options_init(&c);
    to_c(o, c);
    return c;
}

gravlet_cells c_cells(BodyArrays& b) {
    gravlet_cells c{};
    c.count = static_cast<std::int64_t>(b.size());
    c.x = input(b.x[0]), c.y = input(b.x[1]), c.z = input(b.x[2]);
    c.dx = input(b.side[0]), c.dy = input(b.side[1]), c.dz = input(b.side[2]);
    c.mass = input(b.mass);
    c.active = b.active.empty() ? nullptr : b.active.data();
    c.source_class = b.source_class.empty() ? nullptr : b.source_class.data();
    c.floats = floats_of(b);
    return c;
}

gravlet_points c_points(BodyArrays& b) {
    gravlet_points c{};
    c.count = static_cast<std::int64_t>(b.size());
    c.x = input(b.x[0]), c.y = input(b.x[1]), c.z = input(b.x[2]);
    c.mass = input(b.mass), c.softening = input(b.softening);
    c.active = b.active.empty() ? nullptr : b.active.data();
    c.source_class = b.source_class.empty() ? nullptr : b.source_class.data();
    c.floats = floats_of(b);
    return c;
}

gravlet_fields c_fields(Results& r) {
    gravlet_fields c{};
    bool single = false;
    r.for_each([&](const Reals& array) { single = single || array.single(); });
    c.potential = result(r.potential);
    for (std::size_t d = 0; d < 3; ++d) c.acceleration[d] = result(r.acceleration[d]);
    for (std::size_t k = 0; k < 6; ++k) c.tidal[k] = result(r.tidal[k]);
    c.floats = single ? GRAVLET_FLOAT_RESULTS : 0;
    return c;
}

gravlet_probes c_probes(BodyArrays& b) {
    const gravlet_fields fields = c_fields(b.results);
    gravlet_probes c{};
    c.count = static_cast<std::int64_t>(b.size());
    c.x = input(b.x[0]), c.y = input(b.x[1]), c.z = input(b.x[2]);
    c.potential = fields.potential;
    std::ranges::copy(fields.acceleration, c.acceleration), std::ranges::copy(fields.tidal, c.tidal);
    c.floats = fields.floats | (b.x[0].single() ? GRAVLET_FLOAT_POSITIONS : 0);
    return c;
}

std::vector<gravlet_block> c_blocks(Arrays& arrays) {
    std::vector<gravlet_block> out;
    for (std::size_t i = 0; i < arrays.blocks.size(); ++i) {
        const Block& b = arrays.blocks[i];
        gravlet_block c{};
        std::ranges::copy(b.lower, c.lower), std::ranges::copy(b.cell_size, c.cell_size), std::ranges::copy(b.n, c.n);
        c.inactive = b.active ? 0 : 1;
        std::ranges::copy(b.stride, c.stride), std::ranges::copy(b.result_stride, c.result_stride);
        c.density = static_cast<const double*>(b.density.address());
        c.potential = place(b.potential);
        for (std::size_t d = 0; d < 3; ++d) {
            c.acceleration[d] = place(b.acceleration[d]), c.face_acceleration[d] = place(b.face_acceleration[d]);
            std::ranges::copy(b.face_stride[d], c.face_stride[d]);
        }
        for (std::size_t k = 0; k < 6; ++k) c.tidal[k] = place(b.tidal[k]);
        std::ranges::copy(b.result_guards, c.result_guards);
        bool single = false;
        arrays.patches[i].results.for_each([&](const Reals& r) { single = single || r.single(); });
        c.floats = (b.density.is_single() ? GRAVLET_FLOAT_MASSES : 0) |
                   (single || arrays.patches[i].faces[0].single() ? GRAVLET_FLOAT_RESULTS : 0);
        out.push_back(c);
    }
    return out;
}

}  // namespace gravlet::combine
