// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/report_bytes.hpp"

#include <cstring>
#include <type_traits>

namespace gravlet {
namespace {

/// Calls f for every member. Does not compile if Report has others.
template <class R, class F>
void for_members(R& report, F f) {
    auto& [targets, sources, ranks, threads, unchanged_ranks, moved_ranks, backend, warnings, seconds, stages, node, cell, far,
           coincident, bytes_sent, nodes_imported, cells_imported, peak_bytes, potential_error, acceleration_error, tidal_error,
           tolerance, net_force, net_torque, background] = report;
    f(targets), f(sources), f(ranks), f(threads), f(unchanged_ranks), f(moved_ranks), f(backend), f(warnings), f(seconds),
        f(stages), f(node), f(cell), f(far);
    f(coincident), f(bytes_sent), f(nodes_imported), f(cells_imported), f(peak_bytes), f(potential_error), f(acceleration_error),
        f(tidal_error), f(tolerance), f(net_force), f(net_torque), f(background);
}

struct Writer {
    std::string& bytes;

    template <class T>
    void operator()(const T& value) const {
        static_assert(std::is_trivially_copyable_v<T>);
        bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
    }
    void operator()(const std::string& text) const {
        (*this)(text.size());
        bytes += text;
    }
    void operator()(const StageTime& stage) const { (*this)(stage.name), (*this)(stage.max), (*this)(stage.mean); }
    template <class T>
    void operator()(const std::vector<T>& values) const {
        (*this)(values.size());
        for (const T& value : values) (*this)(value);
    }
    template <class T>
    void operator()(const std::optional<T>& value) const {
        (*this)(value.has_value());
        if (value) (*this)(*value);
    }
};

struct Reader {
    const char*& at;

    template <class T>
    void operator()(T& value) const {
        static_assert(std::is_trivially_copyable_v<T>);
        std::memcpy(&value, at, sizeof(T));
        at += sizeof(T);
    }
    void operator()(std::string& text) const {
        std::size_t size = 0;
        (*this)(size);
        text.assign(at, size);
        at += size;
    }
    void operator()(StageTime& stage) const { (*this)(stage.name), (*this)(stage.max), (*this)(stage.mean); }
    template <class T>
    void operator()(std::vector<T>& values) const {
        std::size_t size = 0;
        (*this)(size);
        values.resize(size);
        for (T& value : values) (*this)(value);
    }
    template <class T>
    void operator()(std::optional<T>& value) const {
        bool there = false;
        (*this)(there);
        if (there) (*this)(value.emplace());
    }
};

}  // namespace

std::string to_bytes(const Report& report) {
    std::string bytes;
    for_members(report, Writer{bytes});
    return bytes;
}

Report report_from_bytes(const std::string& bytes) {
    Report report;
    const char* at = bytes.data();
    for_members(report, Reader{at});
    return report;
}

}  // namespace gravlet
