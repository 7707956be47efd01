// SPDX-License-Identifier: Apache-2.0
// One map of a YAML file, read key by key into variables that already hold their defaults. What was asked for is what is valid:
// any other key is an error that names the nearest valid one.
//
//     Section section(node, "solver");
//     section.value("theta", options.theta);
//     section.finish();
#pragma once

#include <gravlet/options.hpp>

#include <yaml-cpp/yaml.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gravlet {

/// Names of an enum's values, in YAML.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// Every failure throws Error(invalid_option) with the dotted path of the key, its value, and what was expected.
class Section {
public:
    /// `node` may be absent (every key keeps its default); otherwise it must be a map without a key twice.
    Section(const YAML::Node& node, std::string path);

    // Each keeps the default if the key is absent.
    void value(const std::string& key, double& out);
    void value(const std::string& key, int& out);
    void value(const std::string& key, std::int64_t& out);
    void value(const std::string& key, std::uint64_t& out);
    void value(const std::string& key, bool& out);
    void value(const std::string& key, std::string& out);
    void path(const std::string& key, std::string& out);  ///< path of a file; an empty value is none
    void value(const std::string& key, std::array<double, 3>& out);
    void value(const std::string& key, std::array<int, 3>& out);
    void value(const std::string& key, Box& out);  ///< [[x, y, z], [x, y, z]]
    template <class T>
    void value(const std::string& key, std::optional<T>& out) {
        if (!find(key)) return;
        T given{};
        value(key, given);
        out = given;
    }
    /// An option of the solver (gravlet/option_list.hpp).
    void option(const std::string& name, Options& out);
    template <class E>
    void choice(const std::string& key, E& out, const Choices<E>& choices) {
        const YAML::Node node = find(key);
        if (!node || choose(node, out, choices)) return;
        expected(key, node, "one of " + names_of(choices));
    }
    [[nodiscard]] bool has(const std::string& key) { return static_cast<bool>(find(key)); }
    /// A map inside this one.
    [[nodiscard]] Section section(const std::string& key);

    /// Throws unless the key is there; a misspelt one is named as such.
    void require(const std::string& key, const std::string& what);
    /// Throws on keys that nobody asked for.
    void finish() const;

private:
    template <class E>
    static bool choose(const YAML::Node& node, E& out, const Choices<E>& choices) {
        for (const auto& [name, entry] : choices)
            if (node.IsScalar() && node.Scalar() == name) {
                out = entry;
                return true;
            }
        return false;
    }
    template <class E>
    static std::string names_of(const Choices<E>& choices) {
        std::string names;
        for (const auto& [name, entry] : choices) names += (names.empty() ? "" : ", ") + name;
        return names;
    }
    YAML::Node find(const std::string& key);
    [[noreturn]] void expected(const std::string& key, const YAML::Node& node, const std::string& what) const;
    [[nodiscard]] std::string full(const std::string& key) const;
    template <class T>
    void scalar(const std::string& key, T& out, const char* what);
    template <class T>
    void integer(const std::string& key, T& out);

    YAML::Node node_;
    std::string path_;
    std::vector<std::string> known_;
};

}  // namespace gravlet
