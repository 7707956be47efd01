// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/report_bytes.hpp"

#include <gravlet/members.hpp>

#include <cstring>
#include <type_traits>

namespace gravlet {
namespace {

struct Writer {
    std::string& bytes;

    template <class T>
    void operator()(const T& value) const {
        if constexpr (HasMembers<T>) {
            for_each_member(value, [&](const char*, const auto& member) { (*this)(member); });
        } else {
            static_assert(std::is_trivially_copyable_v<T>);
            bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
        }
    }
    void operator()(const std::string& text) const {
        (*this)(text.size());
        bytes += text;
    }
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
        if constexpr (HasMembers<T>) {
            for_each_member(value, [&](const char*, auto& member) { (*this)(member); });
        } else {
            static_assert(std::is_trivially_copyable_v<T>);
            std::memcpy(&value, at, sizeof(T));
            at += sizeof(T);
        }
    }
    void operator()(std::string& text) const {
        std::size_t size = 0;
        (*this)(size);
        text.assign(at, size);
        at += size;
    }
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
    Writer{bytes}(report);
    return bytes;
}

Report report_from_bytes(const std::string& bytes) {
    Report report;
    const char* at = bytes.data();
    Reader{at}(report);
    return report;
}

}  // namespace gravlet
