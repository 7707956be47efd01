// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/python/report.hpp"

#include <gravlet/members.hpp>

#include <pybind11/stl.h>

#include <optional>
#include <type_traits>
#include <vector>

namespace gravlet::python {
namespace {

namespace py = pybind11;

template <HasMembers S>
py::dict members_of(const S& s);

/// Numbers, words and lists as they are; a struct is a dict, and stages are one of dicts, by name.
template <class T>
py::object to_object(const T& value) {
    if constexpr (HasMembers<T>)
        return members_of(value);
    else if constexpr (std::is_enum_v<T>)
        return py::str(to_string(value));
    else
        return py::cast(value);
}

template <class T>
py::object to_object(const std::optional<T>& value) {
    return value ? to_object(*value) : py::none();
}

py::object to_object(const std::vector<StageTime>& stages) {
    py::dict out;
    for (const StageTime& stage : stages) {
        py::dict times = members_of(stage);
        out[times.attr("pop")("name")] = times;
    }
    return out;
}

template <HasMembers S>
py::dict members_of(const S& s) {
    py::dict out;
    for_each_member(s, [&](const char* name, const auto& value) { out[name] = to_object(value); });
    return out;
}

}  // namespace

py::dict to_dict(const Report& report) { return members_of(report); }

}  // namespace gravlet::python
