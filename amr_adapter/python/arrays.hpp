// SPDX-License-Identifier: Apache-2.0
// Python's arrays as gravlet takes them, without copies: NumPy's and all else with a buffer, and arrays on a device
// (__cuda_array_interface__, as CuPy has it). Of float64 or float32. Throws Error(invalid_input) with the array's name.
#pragma once

#include <gravlet/cells.hpp>

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gravlet::python {

/// One array: where it is and how it lies. `strides` in elements.
struct View {
    void* data = nullptr;
    bool is_float = false, is_read_only = false;
    std::vector<std::ptrdiff_t> shape, strides;

    [[nodiscard]] InputPointer input() const {
        return is_float ? InputPointer(static_cast<const float*>(data)) : InputPointer(static_cast<const double*>(data));
    }
    [[nodiscard]] ResultPointer result() const {
        return is_float ? ResultPointer(static_cast<float*>(data)) : ResultPointer(static_cast<double*>(data));
    }
};

/// A view of an array of so many dimensions.
View view_of(pybind11::handle array, const std::string& name, std::size_t dimensions);

/// A contiguous array of `n` numbers (any length, if n < 0); empty of None.
InputSpan input(pybind11::handle array, const std::string& name, std::ptrdiff_t n = -1);
/// Bytes in host memory that say which targets are active, NumPy's bool or uint8.
std::span<const std::uint8_t> flags(pybind11::handle array, const std::string& name, std::ptrdiff_t n);

/// What is wanted of `n` targets: an object with attributes of the fields' names, which are arrays of (n) or (components, n), or
/// None for each; None: nothing.
Fields fields(pybind11::handle results, std::ptrdiff_t n);

/// A block from an object with attributes lower, cell_size, density (nz, ny, nx; any strides), active, result_guards (x, y, z),
/// the fields' (of (nz, ny, nx) or (components, nz, ny, nx), each longer by the guard cells on both sides), which lie alike, and
/// face_acceleration: None, or three arrays or Nones, of the shape of density and one more along x, y, z.
Block block(pybind11::handle block, const std::string& name);

}  // namespace gravlet::python
