// SPDX-License-Identifier: Apache-2.0
#include "tools/config/section.hpp"

#include "api/text.hpp"

#include <gravlet/error.hpp>
#include <gravlet/option_list.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace gravlet {
namespace {

[[noreturn]] void invalid(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

// yaml-cpp reads numbers through streams, which take a lack of memory for a wrong number.
bool decode(const YAML::Node& node, double& out) {
    const std::optional<double> value = number_from(node.Scalar());
    out = value.value_or(out);
    return value.has_value();
}

bool decode(const YAML::Node& node, int& out) { return YAML::convert<int>::decode(node, out); }

bool decode(const YAML::Node& node, bool& out) {
    const std::optional<bool> value = boolean_from(node.Scalar());
    out = value.value_or(out);
    return value.has_value();
}

// A byte of zero would end it for the system and for HDF5, and an empty name is none.
bool decode(const YAML::Node& node, std::string& out) {
    out = node.Scalar();
    return !out.empty() && out.find('\0') == std::string::npos;
}

template <class T>
bool decode_triple(const YAML::Node& node, std::array<T, 3>& out) {
    if (!node.IsSequence() || node.size() != out.size()) return false;
    for (std::size_t d = 0; d < out.size(); ++d)
        if (!(node[d].IsScalar() && decode(node[d], out[d]))) return false;
    return true;
}

std::string print(const YAML::Node& node) {
    if (node.IsNull()) return "empty";
    YAML::Emitter text;
    text << YAML::Flow << node;
    return text.c_str();
}

template <class T>
std::string shown(const T& value) {
    return fmt::format("{}", value);
}
std::string shown(const std::string& text) { return text; }

}  // namespace

Section::Section(const YAML::Node& node, std::string path) : node_(node), path_(std::move(path)) {
    if (!node_ || node_.IsNull()) return;
    if (!node_.IsMap()) invalid((path_.empty() ? "the file" : path_) + " is " + print(node_) + ": expected keys and values");
    std::vector<std::string> seen;
    for (const auto& entry : node_) {
        if (!entry.first.IsScalar()) invalid(full(print(entry.first)) + ": a key must be a word");
        const std::string& key = entry.first.Scalar();
        if (std::find(seen.begin(), seen.end(), key) != seen.end()) invalid(full(key) + " is given twice");
        seen.push_back(key);
    }
}

std::string Section::full(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

YAML::Node Section::find(const std::string& key) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
    return node_ && node_.IsMap() ? std::as_const(node_)[key] : YAML::Node(YAML::NodeType::Undefined);
}

void Section::expected(const std::string& key, const YAML::Node& node, const std::string& what) const {
    invalid(full(key) + " is " + print(node) + ": expected " + what);
}

template <class T>
void Section::scalar(const std::string& key, T& out, const char* what) {
    const YAML::Node node = find(key);
    if (node && !(node.IsScalar() && decode(node, out))) expected(key, node, what);
}

template <class T>
void Section::integer(const std::string& key, T& out) {
    const YAML::Node node = find(key);
    if (!node) return;
    const IntegerText<T> number = integer_from<T>(node.IsScalar() ? node.Scalar() : std::string());
    if (!number.value) expected(key, node, number.expected);
    out = *number.value;
}

template <class T>
void Section::list(const std::string& key, const char* type, const T& value, const char* meaning) {
    if (lists_) keys_.push_back({key, type, shown(value), meaning});
}

Section Section::listing(std::string path) {
    Section section(YAML::Node(YAML::NodeType::Undefined), std::move(path));
    section.lists_ = true;
    return section;
}

void Section::value(const std::string& key, double& out, const char* meaning) {
    list(key, "number", out, meaning);
    scalar(key, out, "a number");
}
void Section::value(const std::string& key, int& out, const char* meaning) {
    list(key, "integer", out, meaning);
    integer(key, out);
}
void Section::value(const std::string& key, std::int64_t& out, const char* meaning) {
    list(key, "integer", out, meaning);
    integer(key, out);
}
void Section::value(const std::string& key, std::uint64_t& out, const char* meaning) {
    list(key, "integer, 0 or more", out, meaning);
    // yaml-cpp would wrap a negative number round.
    std::int64_t given = -1;
    if (find(key)) {
        integer(key, given);
        if (given < 0) expected(key, find(key), "an integer, 0 or more");
        out = static_cast<std::uint64_t>(given);
    }
}
void Section::value(const std::string& key, bool& out, const char* meaning) {
    list(key, "true, false", out, meaning);
    scalar(key, out, "true or false");
}
void Section::value(const std::string& key, std::string& out, const char* meaning) {
    list(key, "text", out, meaning);
    scalar(key, out, "a text, not empty and without a byte of zero");
}

void Section::path(const std::string& key, std::string& out, const char* meaning) {
    list(key, "path", out.empty() ? "none" : out, meaning);
    const YAML::Node node = find(key);
    if (node && (node.IsNull() || (node.IsScalar() && node.Scalar().empty())))
        out.clear();
    else
        scalar(key, out, "a path");
}

void Section::value(const std::string& key, std::array<double, 3>& out, const char* meaning) {
    list(key, "three numbers, as [x, y, z]", out, meaning);
    const YAML::Node node = find(key);
    if (node && !decode_triple(node, out)) expected(key, node, "three numbers, as [x, y, z]");
}

void Section::value(const std::string& key, std::array<int, 3>& out, const char* meaning) {
    list(key, "three integers, as [x, y, z]", out, meaning);
    const YAML::Node node = find(key);
    if (node && !decode_triple(node, out)) expected(key, node, "three integers, as [x, y, z]");
}

void Section::value(const std::string& key, std::vector<int>& out, const char* meaning) {
    const char* const expects = "integers, as [0, 1, 4]";
    list(key, expects, out, meaning);
    const YAML::Node node = find(key);
    if (!node) return;
    std::vector<int> given(node.IsSequence() ? node.size() : 0);
    for (std::size_t i = 0; i < given.size(); ++i)
        if (!node[i].IsScalar() || !decode(node[i], given[i])) expected(key, node, expects);
    if (!node.IsSequence()) expected(key, node, expects);
    out = std::move(given);
}

void Section::value(const std::string& key, Box& out, const char* meaning) {
    list(key, "two corners, as [[x, y, z], [x, y, z]]", std::string(), meaning);
    const YAML::Node node = find(key);
    if (!node) return;
    bool is_box = node.IsSequence() && node.size() == 2 && decode_triple(node[0], out.lower) && decode_triple(node[1], out.upper);
    for (std::size_t d = 0; d < 3; ++d)
        is_box = is_box && out.lower[d] < out.upper[d] && std::isfinite(out.lower[d]) && std::isfinite(out.upper[d]);
    if (!is_box) expected(key, node, "two corners, the lower one first, as [[x, y, z], [x, y, z]]");
}

void Section::option(const std::string& name, Options& out) {
    if (lists_) {
        const OptionInfo& info = *std::ranges::find(option_list(), name, &OptionInfo::name);
        keys_.push_back({name, info.range.empty() ? info.type : info.type + ": " + info.range, get_option(out, name), info.help});
    }
    const YAML::Node node = find(name);
    if (!node) return;
    try {
        set_option(out, name, node.IsNull() ? std::string() : node.IsScalar() ? node.Scalar() : print(node));
    } catch (const Error& error) {
        throw Error(error.code(), full(error.what()));
    }
}

Section Section::section(const std::string& key) { return {find(key), full(key)}; }

void Section::require(const std::string& key, const std::string& what) {
    if (find(key) || lists_) return;
    if (node_ && node_.IsMap())
        for (const auto& entry : node_)
            if (!nearest(entry.first.Scalar(), {key}).empty() && edit_distance(entry.first.Scalar(), key) <= 2)
                invalid(full(entry.first.Scalar()) + ": unknown key; did you mean " + key + "?");
    invalid(full(key) + " is missing: " + what);
}

void Section::finish() const {
    if (!node_ || !node_.IsMap()) return;
    for (const auto& entry : node_) {
        const std::string& key = entry.first.Scalar();
        if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
        invalid(full(unknown_name(key, "key", known_)));
    }
}

}  // namespace gravlet
