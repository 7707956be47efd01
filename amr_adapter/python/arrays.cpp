// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/python/arrays.hpp"

#include "physics/fields.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>
#if defined(GRAVLET_PYTHON_CUDA)
#include <cuda_runtime_api.h>
#endif

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

namespace gravlet::python {
namespace {

namespace py = pybind11;

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_input, message); }

std::string text(py::handle object) { return py::str(object); }

/// What a whole format is without its order of bytes, if that is this machine's.
std::string_view in_native_order(std::string_view format) {
    constexpr char native = std::endian::native == std::endian::little ? '<' : '>';
    const bool has_order = !format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == native);
    return has_order ? format.substr(1) : format;
}

/// Whether an array is of floats. `of_double`, `of_single`: their names where `format` comes from.
bool is_float(py::handle array, const std::string& format, std::string_view of_double, std::string_view of_single,
              const std::string& name) {
    const std::string_view type = in_native_order(format);
    if (type != of_double && type != of_single)
        reject(fmt::format("{} is of type {}: float64 or float32 is wanted, in this machine's order of bytes", name,
                           py::hasattr(array, "dtype") ? text(array.attr("dtype")) : format));
    return type == of_single;
}

View aligned(View view, const std::string& name) {
    const std::size_t size = view.input().element_size();
    if (reinterpret_cast<std::uintptr_t>(view.data) % size != 0)
        reject(fmt::format("{} begins at an address that is no multiple of {} bytes", name, size));
    return view;
}

/// Waits for the stream of the array's maker: numbers as CUDA has them (1: the legacy default stream).
void wait_for_stream([[maybe_unused]] std::uintptr_t stream, [[maybe_unused]] const std::string& name) {
#if defined(GRAVLET_PYTHON_CUDA)
    if (const cudaError_t code = cudaStreamSynchronize(reinterpret_cast<cudaStream_t>(stream)); code != cudaSuccess)
        throw Error(ErrorCode::internal, fmt::format("{}: what its stream did ended with: {}", name, cudaGetErrorString(code)));
#endif
}

void add_stride(View& view, std::ptrdiff_t bytes, std::ptrdiff_t size, const std::string& name) {
    if (bytes % size != 0) reject(name + " has elements that do not lie on whole strides");
    view.strides.push_back(bytes / size);
}

View on_device(py::handle array, const std::string& name) {
    const py::dict interface = array.attr("__cuda_array_interface__");
    View view;
    if (interface.contains("stream") && !interface["stream"].is_none())
        wait_for_stream(interface["stream"].cast<std::uintptr_t>(), name);
    view.is_float = is_float(array, text(interface["typestr"]), "f8", "f4", name);
    const py::tuple data = interface["data"];
    view.data = reinterpret_cast<void*>(data[0].cast<std::uintptr_t>());
    view.is_read_only = data[1].cast<bool>();
    for (const py::handle n : py::tuple(interface["shape"])) view.shape.push_back(n.cast<std::ptrdiff_t>());
    const std::ptrdiff_t size = view.is_float ? sizeof(float) : sizeof(double);
    if (interface.contains("strides") && !interface["strides"].is_none()) {
        for (const py::handle bytes : py::tuple(interface["strides"])) add_stride(view, bytes.cast<std::ptrdiff_t>(), size, name);
    } else {
        view.strides.resize(view.shape.size());
        std::ptrdiff_t stride = 1;
        for (std::size_t d = view.shape.size(); d-- > 0; stride *= view.shape[d]) view.strides[d] = stride;
    }
    return view;
}

View on_host(py::handle array, const std::string& name) {
    const py::buffer_info buffer = py::reinterpret_borrow<py::buffer>(array).request();
    View view;
    view.is_float = is_float(array, buffer.format, "d", "f", name);
    view.data = buffer.ptr;
    view.is_read_only = buffer.readonly;
    view.shape.assign(buffer.shape.begin(), buffer.shape.end());
    for (const py::ssize_t bytes : buffer.strides) add_stride(view, bytes, buffer.itemsize, name);
    return view;
}

View view_of_any(py::handle array, const std::string& name) {
    if (py::hasattr(array, "__cuda_array_interface__")) return aligned(on_device(array, name), name);
    if (!PyObject_CheckBuffer(array.ptr())) reject(fmt::format("{} is no array: {}", name, text(py::type::of(array))));
    return aligned(on_host(array, name), name);
}

bool is_contiguous(const View& view) {
    std::ptrdiff_t stride = 1;
    for (std::size_t d = view.shape.size(); d-- > 0; stride *= view.shape[d])
        if (view.shape[d] > 1 && view.strides[d] != stride) return false;
    return true;
}

View contiguous(py::handle array, const std::string& name, std::vector<std::ptrdiff_t> shape) {
    View view = view_of(array, name, shape.size());
    if (shape.back() < 0) shape.back() = view.shape.back();
    if (view.shape != shape)
        reject(fmt::format("{} has the shape ({}): ({}) is wanted", name, fmt::join(view.shape, ", "), fmt::join(shape, ", ")));
    if (!is_contiguous(view)) reject(name + " is not contiguous");
    return view;
}

View writable(View view, const std::string& name) {
    if (view.is_read_only) reject(name + " is read-only");
    return view;
}

/// Cells of the three dimensions from `first` on.
std::ptrdiff_t count_cells(const std::vector<std::ptrdiff_t>& shape, std::size_t first) {
    return shape[first] * shape[first + 1] * shape[first + 2];
}

/// How the last three dimensions of an array lie, x first. All zeros would be another array's, by what they say of a block.
Stride stride_of(const View& view, const std::string& name) {
    const std::size_t first = view.shape.size() - 3;
    const Stride stride{view.strides[first + 2], view.strides[first + 1], view.strides[first]};
    if (stride != Stride{}) return stride;
    if (count_cells(view.shape, first) > 1) reject(name + " has all its elements in one place");
    return {1, 1, 1};
}

/// Throws unless the last three dimensions are n, x first.
void check_shape(const View& view, const std::string& name, const std::array<int, 3>& n) {
    const std::size_t first = view.shape.size() - 3;
    for (std::size_t d = 0; d < 3; ++d)
        if (view.shape[first + 2 - d] != n[d])
            reject(fmt::format("{} has the shape ({}): {} x {} x {} places are wanted", name, fmt::join(view.shape, ", "), n[2],
                               n[1], n[0]));
}

/// The result arrays of a block, which lie alike: of its cells and, around them, of the guard cells that get results.
class BlockResults {
public:
    BlockResults(Block& block, std::string name) : block_(block), name_(std::move(name)) {}

    /// Pointers of one field, from an array of its components or, of the potential, of one.
    void set(py::handle array, int derivatives) {
        if (array.is_none()) return;
        const std::size_t components = components_of(derivatives);
        const std::string name = fmt::format("{} of {}", field_names[static_cast<std::size_t>(derivatives)], name_);
        const View view = writable(view_of(array, name, components == 1 ? 3 : 4), name);
        const auto& guards = block_.result_guards;
        check_shape(view, name, {block_.n[0] + 2 * guards[0], block_.n[1] + 2 * guards[1], block_.n[2] + 2 * guards[2]});
        if (components > 1 && view.shape[0] != static_cast<std::ptrdiff_t>(components))
            reject(fmt::format("{} has {} components of {}", name, view.shape[0], components));
        const Stride stride = stride_of(view, name);
        if (stride_ && *stride_ != stride) reject(name + " lies in other strides than the results before it");
        stride_ = stride;
        block_.result_stride = stride;
        std::ptrdiff_t to_first = 0;
        for (std::size_t d = 0; d < 3; ++d) to_first += guards[d] * stride[d];
        for (std::size_t k = 0; k < components; ++k)
            pointers_[first_component(derivatives) + k] =
                view.result() + to_first + (components == 1 ? 0 : static_cast<std::ptrdiff_t>(k) * view.strides[0]);
    }
    void hand_over() { set_results(block_, pointers_); }

private:
    Block& block_;
    std::string name_;
    std::optional<Stride> stride_;
    std::array<ResultPointer, result_count> pointers_{};
};

void set_faces(Block& block, py::handle arrays, const std::string& block_name) {
    if (arrays.is_none()) return;
    const auto each = arrays.cast<std::array<py::object, 3>>();
    for (std::size_t d = 0; d < 3; ++d) {
        if (each[d].is_none()) continue;
        const std::string name = fmt::format("face_acceleration[{}] of {}", d, block_name);
        const View view = writable(view_of(each[d], name, 3), name);
        std::array<int, 3> n = block.n;
        ++n[d];
        check_shape(view, name, n);
        block.face_acceleration[d] = view.result();
        block.face_stride[d] = stride_of(view, name);
    }
}

}  // namespace

View view_of(py::handle array, const std::string& name, std::size_t dimensions) {
    View view = view_of_any(array, name);
    if (view.shape.size() != dimensions)
        reject(fmt::format("{} has {} dimensions: {} wanted", name, view.shape.size(), dimensions));
    return view;
}

InputSpan input(py::handle array, const std::string& name, std::ptrdiff_t n) {
    if (array.is_none()) return {};
    const View view = contiguous(array, name, {n});
    return {view.input(), static_cast<std::size_t>(view.shape[0])};
}

std::span<const std::uint8_t> flags(py::handle array, const std::string& name, std::ptrdiff_t n) {
    if (array.is_none()) return {};
    if (!PyObject_CheckBuffer(array.ptr())) reject(name + " is no array in host memory");
    const py::buffer_info buffer = py::reinterpret_borrow<py::buffer>(array).request();
    const std::string_view type = in_native_order(buffer.format);
    if ((type != "?" && type != "B") || buffer.itemsize != 1 || buffer.ndim != 1 || buffer.size != n ||
        (n > 1 && buffer.strides[0] != 1))
        reject(fmt::format("{} is no contiguous array of {} bool or uint8", name, n));
    return {static_cast<const std::uint8_t*>(buffer.ptr), static_cast<std::size_t>(n)};
}

Fields fields(py::handle results, std::ptrdiff_t n) {
    std::array<ResultSpan, result_count> arrays{};
    for (int d = 0; d <= max_derivatives && !results.is_none(); ++d) {
        const char* const name = field_names[static_cast<std::size_t>(d)];
        const py::object array = results.attr(name);
        if (array.is_none()) continue;
        const auto components = static_cast<std::ptrdiff_t>(components_of(d));
        const View view =
            writable(contiguous(array, name,
                                components == 1 ? std::vector<std::ptrdiff_t>{n} : std::vector<std::ptrdiff_t>{components, n}),
                     name);
        for (std::ptrdiff_t k = 0; k < components; ++k)
            arrays[first_component(d) + static_cast<std::size_t>(k)] = {view.result() + k * n, static_cast<std::size_t>(n)};
    }
    Fields out;
    set_results(out, arrays);
    return out;
}

Block block(py::handle object, const std::string& name) {
    Block out;
    out.lower = object.attr("lower").cast<std::array<double, 3>>();
    out.cell_size = object.attr("cell_size").cast<std::array<double, 3>>();
    out.active = object.attr("active").cast<bool>();
    const View density = view_of(object.attr("density"), "density of " + name, 3);
    for (std::size_t d = 0; d < 3; ++d) {
        if (!std::in_range<int>(density.shape[2 - d]))
            reject(fmt::format("density of {} has the shape ({}): too many cells in one direction", name,
                               fmt::join(density.shape, ", ")));
        out.n[d] = static_cast<int>(density.shape[2 - d]);
        out.stride[d] = density.strides[2 - d];
    }
    out.density = density.input();
    out.result_guards = object.attr("result_guards").cast<std::array<int, 3>>();
    BlockResults results(out, name);
    for (int d = 0; d <= max_derivatives; ++d) results.set(object.attr(field_names[static_cast<std::size_t>(d)]), d);
    results.hand_over();
    set_faces(out, object.attr("face_acceleration"), name);
    return out;
}

}  // namespace gravlet::python
