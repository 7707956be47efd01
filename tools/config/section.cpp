// SPDX-License-Identifier: Apache-2.0
#include "tools/config/section.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>

namespace gravlet {
namespace {

[[noreturn]] void invalid(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

std::string join(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
}

// yaml-cpp reads numbers through streams, which take a lack of memory for a wrong number.
template <class T>
bool decode(const YAML::Node& node, T& out) {
    if constexpr (std::is_same_v<T, double>) {
        const std::string& text = node.Scalar();
        double value = 0.0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) {
            out = value;
            return true;
        }
    }
    return YAML::convert<T>::decode(node, out);
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

// 1e6 and 1.5e6 are integers too. The digits are never made a double, which would lose the last of many.
std::optional<std::int64_t> decimal_integer(const std::string& text) {
    const std::size_t mark = text.find_first_of("eE");
    std::string digits = text.substr(0, mark);
    int exponent = 0;
    if (mark != std::string::npos && !YAML::convert<int>::decode(YAML::Node(text.substr(mark + 1)), exponent)) return {};
    if (const std::size_t point = digits.find('.'); point != std::string::npos) {
        exponent -= static_cast<int>(digits.size() - point - 1);
        digits.erase(point, 1);
    }
    if (digits.find_first_of("0123456789") == std::string::npos) return {};
    for (; exponent < 0 && digits.ends_with('0'); ++exponent) digits.pop_back();
    if (exponent < 0 || exponent > std::numeric_limits<std::int64_t>::digits10) return {};
    digits.append(static_cast<std::size_t>(exponent), '0');
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data() + (digits.starts_with('+') ? 1 : 0), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return {};
    return value;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
    std::string best;
    std::size_t least = std::max<std::size_t>(2, word.size() / 2) + 1;
    for (const std::string& name : names) {
        const std::size_t distance = edit_distance(word, name);
        if (distance < least) {
            least = distance;
            best = name;
        }
    }
    return best;
}

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
    if (!node || (node.IsScalar() && YAML::convert<T>::decode(node, out))) return;
    const std::optional<std::int64_t> number = node.IsScalar() ? decimal_integer(node.Scalar()) : std::nullopt;
    double size = 0.0;
    if (!number && !(node.IsScalar() && decode(node, size) && std::floor(size) == size)) expected(key, node, "an integer");
    if (!number || !std::in_range<T>(*number))
        expected(key, node,
                 fmt::format("an integer from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    out = static_cast<T>(*number);
}

void Section::value(const std::string& key, double& out) { scalar(key, out, "a number"); }
void Section::value(const std::string& key, int& out) { integer(key, out); }
void Section::value(const std::string& key, std::int64_t& out) { integer(key, out); }
void Section::value(const std::string& key, std::uint64_t& out) {
    // yaml-cpp would wrap a negative number round.
    std::int64_t given = -1;
    if (find(key)) {
        integer(key, given);
        if (given < 0) expected(key, find(key), "an integer, 0 or more");
        out = static_cast<std::uint64_t>(given);
    }
}
void Section::value(const std::string& key, bool& out) { scalar(key, out, "true or false"); }
void Section::value(const std::string& key, std::string& out) { scalar(key, out, "a text"); }

void Section::path(const std::string& key, std::string& out) {
    const YAML::Node node = find(key);
    if (node && node.IsNull())
        out.clear();
    else
        scalar(key, out, "a path");
}

void Section::value(const std::string& key, std::array<double, 3>& out) {
    const YAML::Node node = find(key);
    if (node && !decode_triple(node, out)) expected(key, node, "three numbers, as [x, y, z]");
}

void Section::value(const std::string& key, std::array<int, 3>& out) {
    const YAML::Node node = find(key);
    if (node && !decode_triple(node, out)) expected(key, node, "three integers, as [x, y, z]");
}

void Section::value(const std::string& key, Box& out) {
    const YAML::Node node = find(key);
    if (!node) return;
    bool is_box = node.IsSequence() && node.size() == 2 && decode_triple(node[0], out.lower) && decode_triple(node[1], out.upper);
    for (std::size_t d = 0; d < 3; ++d)
        is_box = is_box && out.lower[d] < out.upper[d] && std::isfinite(out.lower[d]) && std::isfinite(out.upper[d]);
    if (!is_box) expected(key, node, "two corners, the lower one first, as [[x, y, z], [x, y, z]]");
}

Section Section::section(const std::string& key) { return {find(key), full(key)}; }

void Section::require(const std::string& key, const std::string& what) {
    if (find(key)) return;
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
        const std::string close = nearest(key, known_);
        invalid(
            full(key) + ": unknown key; " +
            (close.empty() ? "valid keys: " + join(known_) : "did you mean " + close + "? (valid keys: " + join(known_) + ")"));
    }
}

}  // namespace gravlet
