// SPDX-License-Identifier: Apache-2.0
// Copies a box of numbers between arrays of any strides, each of floats or doubles, on the host.
#pragma once

#include <gravlet/cells.hpp>

#include <array>
#include <cstddef>

namespace gravlet {

/// Copies a box of numbers. As far as they lie side by side in both arrays they are copied together: a row, a plane, all.
template <class From, class To>
void copy_box(const std::array<int, 3>& n, const From* from, const Stride& from_stride, To* to, const Stride& to_stride) {
    std::array<std::ptrdiff_t, 3> left{n[0], n[1], n[2]};
    std::ptrdiff_t run = 1;
    for (std::size_t d = 0; d < 3 && from_stride[d] == run && to_stride[d] == run; ++d) {
        run *= left[d];
        left[d] = 1;
    }
    for (std::ptrdiff_t k = 0; k < left[2]; ++k) {
        for (std::ptrdiff_t j = 0; j < left[1]; ++j) {
            const From* const source = from + j * from_stride[1] + k * from_stride[2];
            To* const target = to + j * to_stride[1] + k * to_stride[2];
            if (left[0] == 1) {
                for (std::ptrdiff_t i = 0; i < run; ++i) target[i] = static_cast<To>(source[i]);
            } else {
                for (std::ptrdiff_t i = 0; i < left[0]; ++i)
                    target[i * to_stride[0]] = static_cast<To>(source[i * from_stride[0]]);
            }
        }
    }
}

/// Copies a box of doubles or floats, which only the arrays tell.
inline void copy_box(const std::array<int, 3>& n, InputPointer from, const Stride& from_stride, ResultPointer to,
                     const Stride& to_stride) {
    with_type(from, [&](const auto* source) {
        with_type(to, [&](auto* target) { copy_box(n, source, from_stride, target, to_stride); });
    });
}

}  // namespace gravlet
