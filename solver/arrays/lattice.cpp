// SPDX-License-Identifier: Apache-2.0
#include "solver/arrays/lattice.hpp"

#include "solver/input/block_layout.hpp"

namespace gravlet {
namespace {

Lattice lattice_of(const InputPointer& array, const std::array<int, 3>& n, const Stride& stride,
                   const std::array<int, 3>& below) {
    const auto element = static_cast<std::int64_t>(array.element_size());
    Lattice out{as_number(array.address()), {n[0], n[1], n[2]}, {}, element};
    for (std::size_t d = 0; d < 3; ++d) {
        out.stride[d] = n[d] > 1 ? element * stride[d] : 0;
        if (out.stride[d] == 0) out.n[d] = 1;  // one value for all
        out.first -= below[d] * element * stride[d];
    }
    return out;
}

}  // namespace

const ResultPointer& result_of(const Block& block, std::size_t array) {
    return array < first_face ? result_array(block, array) : block.face_acceleration[array - first_face];
}

Lattice lattice_of(const Block& block, std::size_t array) {
    if (array == density_array) return lattice_of(block.density, block.n, block.stride, {});
    if (array < first_face)
        return lattice_of(result_of(block, array), result_extent(block), result_stride(block), block.result_guards);
    const int d = static_cast<int>(array - first_face);
    return lattice_of(result_of(block, array), face_extent(block, d), face_stride(block, d), {});
}

const char* array_name(std::size_t array) {
    return array == density_array ? "density"
           : array < first_face   ? result_components[array].name
                                  : face_names[array - first_face];
}

bool touches(const Lattice& lattice, std::int64_t begin, std::int64_t end) {
    bool found = false;
    for_runs(lattice, [&](std::int64_t first, std::int64_t last) { found = found || overlap(first, last, begin, end); });
    return found;
}

}  // namespace gravlet
