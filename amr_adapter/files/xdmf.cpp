// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/xdmf.hpp"

#include "amr_adapter/files/flash_scalars.hpp"
#include "amr_adapter/files/gadget_fields.hpp"
#include "hdf5/attributes.hpp"
#include "hdf5/hdf5_file.hpp"
#include "hdf5/name_list.hpp"
#include "hdf5/new_file.hpp"
#include "physics/path_size.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

std::string escaped(std::string_view text) {
    std::string all;
    for (const char c : text) switch (c) {
            case '&': all += "&amp;"; break;
            case '<': all += "&lt;"; break;
            case '>': all += "&gt;"; break;
            case '"': all += "&quot;"; break;
            default: all += c;
        }
    return all;
}

std::string print(const Shape& shape) { return fmt::format("{}", fmt::join(shape, " ")); }

// A data set as XDMF names it.
struct Array {
    std::string name;
    Shape shape;
    std::string number;  ///< NumberType and Precision
};

// `name` with its shape, or without number if it does not hold numbers.
Array array_of(const Hdf5File& file, const std::string& name) {
    const Handle object(H5Oopen(file.id(), name.c_str(), H5P_DEFAULT), H5Oclose);
    if (H5Iget_type(object.get()) != H5I_DATASET) return {};
    const Handle set(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle type(H5Dget_type(set.get()), H5Tclose);
    const H5T_class_t kind = H5Tget_class(type.get());
    if (kind != H5T_FLOAT && kind != H5T_INTEGER) return {};
    // Version 2 knows no unsigned integers of 8 bytes.
    return {name, file.shape(name),
            fmt::format(R"(NumberType="{}" Precision="{}")", kind == H5T_FLOAT ? "Float" : "Int", H5Tget_size(type.get()))};
}

class Writer {
public:
    Writer(NewFile& file, const fs::path& folder) : file_(file), folder_(folder) {}

    template <class... T>
    void line(fmt::format_string<const T&...> format, const T&... values) {
        fmt::format_to(std::back_inserter(text_), format, values...);
        text_ += '\n';
        constexpr std::size_t enough = path_size(1 << 20, 500);
        if (text_.size() > enough) flush();
    }
    void flush() {
        file_.write(text_);
        text_.clear();
    }

    /// The grid of a file.
    void grid(const std::string& path) {
        const Hdf5File file(path, Hdf5File::Mode::read);
        const fs::path absolute = fs::absolute(path).lexically_normal();
        reference_ = escaped(absolute.lexically_proximate(folder_).string());
        if (file.has("node type")) return blocks(file);
        if (file.has("x")) return points(file, "", {"x", "y", "z"});
        const std::string group = gadget_group(1);
        if (file.has(group)) return points(file, group, {"Coordinates"});
        file.fail("has neither blocks (\"node type\") nor points (\"x\", \"" + group + "\")");
    }

private:
    void whole(const Array& array) {
        line(R"(<DataItem Dimensions="{}" {} Format="HDF">{}:/{}</DataItem>)", print(array.shape), array.number, reference_,
             escaped(array.name));
    }

    // Row `row` of a variable of blocks, without its first index.
    void cells(const Array& array, std::size_t row) {
        const Shape& s = array.shape;
        line(R"(<Attribute Name="{}" Center="Cell"><DataItem ItemType="HyperSlab" Dimensions="{} {} {}">)", escaped(array.name),
             s[1], s[2], s[3]);
        line(R"(<DataItem Dimensions="3 4" Format="XML">{} 0 0 0 1 1 1 1 1 {} {} {}</DataItem>)", row, s[1], s[2], s[3]);
        whole(array);
        line("</DataItem></Attribute>");
    }

    void blocks(const Hdf5File& file) {
        const FlashScalars scalars = read_scalars(file);
        const Shape leaves = file.shape("node type");
        const auto n = [&](std::size_t d) { return static_cast<hsize_t>(scalars.n[d]); };
        const hsize_t rows = leaves.empty() ? 0 : leaves[0];
        const Shape expected{rows, n(2), n(1), n(0)};
        file.expect_shape("bounding box", {rows, 3, 2});
        std::vector<int> node_type;
        std::vector<double> box;
        if (rows > 0) {
            file.make_room("node type", leaves, node_type);
            file.make_room("bounding box", {rows, 3, 2}, box);
            file.read("node type", 0, rows, std::span(node_type));
            file.read("bounding box", 0, rows, std::span(box));
        }
        std::vector<Array> variables;
        for (const std::string& name : file.data_sets())
            if (Array array = array_of(file, name); array.shape == expected) variables.push_back(array);
        line(R"(<Grid Name="blocks" GridType="Collection" CollectionType="Spatial">)");
        for (std::size_t row = 0; row < rows; ++row) {
            if (node_type[row] != 1) continue;
            const double* edge = &box[6 * row];
            const auto cell = [&](std::size_t d) { return (edge[2 * d + 1] - edge[2 * d]) / scalars.n[d]; };
            line(R"(<Grid Name="block {}" GridType="Uniform">)", row);
            line(R"(<Topology TopologyType="3DCoRectMesh" Dimensions="{} {} {}"/>)", n(2) + 1, n(1) + 1, n(0) + 1);
            line(R"(<Geometry GeometryType="ORIGIN_DXDYDZ">)");  // both from z to x
            for (const std::array<double, 3>& values :
                 {std::array{edge[4], edge[2], edge[0]}, std::array{cell(2), cell(1), cell(0)}})
                line(R"(<DataItem Dimensions="3" NumberType="Float" Precision="8" Format="XML">{} {} {}</DataItem>)", values[0],
                     values[1], values[2]);
            line("</Geometry>");
            for (const Array& variable : variables) cells(variable, row);
            line("</Grid>");
        }
        line("</Grid>");
    }

    // `positions`: one data set of three columns, or one of each coordinate.
    void points(const Hdf5File& file, const std::string& group, const std::vector<const char*>& positions) {
        const std::string prefix = group.empty() ? "" : group + "/";
        std::vector<Array> arrays;
        const auto add = [&](const std::string& name) { arrays.push_back(array_of(file, name)); };
        if (group.empty()) {
            for (const std::string& name : file.data_sets()) add(name);
        } else {
            const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
                return static_cast<NameList*>(list)->add(name);
            };
            NameList names;
            H5Literate_by_name(file.id(), group.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names, H5P_DEFAULT);
            for (const std::string& name : names.take()) add(prefix + name);
        }
        const Shape shape = file.shape(prefix + positions[0]);
        const hsize_t count = shape.empty() ? 0 : shape[0];
        line(R"(<Grid Name="points" GridType="Uniform">)");
        if (has_attribute_time(file)) line(R"(<Time Value="{}"/>)", read_attribute(file, "Header", "Time").at(0));
        line(R"(<Topology TopologyType="Polyvertex" NumberOfElements="{}" NodesPerElement="1"/>)", count);
        line(R"(<Geometry GeometryType="{}">)", positions.size() == 1 ? "XYZ" : "X_Y_Z");
        for (const char* position : positions) {
            const std::string name = prefix + position;
            std::erase_if(arrays, [&](const Array& array) { return array.name == name; });
            file.expect_shape(name, positions.size() == 1 ? Shape{count, 3} : Shape{count});
            whole(array_of(file, name));
        }
        line("</Geometry>");
        for (const Array& array : arrays) {
            const bool vector = array.shape == Shape{count, 3};
            if (array.number.empty() || (!vector && array.shape != Shape{count})) continue;
            line(R"(<Attribute Name="{}" AttributeType="{}" Center="Node">)", escaped(array.name.substr(prefix.size())),
                 vector ? "Vector" : "Scalar");
            whole(array);
            line("</Attribute>");
        }
        line("</Grid>");
    }

    static bool has_attribute_time(const Hdf5File& file) { return file.has("Header") && has_attribute(file, "Header", "Time"); }

    NewFile& file_;
    fs::path folder_;
    std::string text_, reference_;
};

}  // namespace

void write_xdmf(std::span<const std::string> hdf5, const std::string& xdmf) {
    std::error_code none;
    for (const std::string& path : hdf5)
        if (fs::equivalent(path, xdmf, none)) throw Error(ErrorCode::file, xdmf + ": the XDMF would replace the HDF5 file");
    NewFile file(xdmf);
    Writer to(file, fs::absolute(xdmf).lexically_normal().parent_path());
    to.line("<?xml version=\"1.0\"?>");
    to.line(R"(<Xdmf Version="2.0"><Domain>)");
    if (hdf5.size() != 1) to.line(R"(<Grid Name="series" GridType="Collection" CollectionType="Temporal">)");
    for (const std::string& path : hdf5) to.grid(path);
    if (hdf5.size() != 1) to.line("</Grid>");
    to.line("</Domain></Xdmf>");
    to.flush();
    file.commit();
}

}  // namespace gravlet
