// SPDX-License-Identifier: Apache-2.0
// One map of a YAML file, read key by key into variables that already hold their defaults. What was asked for is what is valid:
// any other key is an error that names the nearest valid one.
//
//     Section section(node, "run");
//     section.value("repeat", config.repeat, "solves whose median is reported");
//     section.finish();
//
// What is said of a key where it is read is what `gravlet help` says: Section::listing() reads nothing, and lists.
#pragma once

#include <gravlet/options.hpp>

#include <yaml-cpp/yaml.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace gravlet {

/// Names of an enum's values, in YAML.
template <class E>
using Choices = std::vector<std::pair<std::string, E>>;

/// What is to be known of a key.
struct KeyInfo {
    std::string name;
    std::string type;           ///< kind of value, as "integer", "[x, y, z]" or, of words, all of them
    std::string default_value;  ///< default; "" if it has to be given
    std::string meaning;
    [[nodiscard]] bool operator==(const KeyInfo& other) const = default;
};

/// Every failure throws Error(invalid_option) with the dotted path of the key, its value, and what was expected.
class Section {
public:
    /// `node` may be absent (every key keeps its default); otherwise it must be a map without a key twice.
    Section(const YAML::Node& node, std::string path);

    /// A section that lists what is read of it, and is never without a key.
    [[nodiscard]] static Section listing(std::string path);
    [[nodiscard]] const std::vector<KeyInfo>& keys() const { return keys_; }

    // Each keeps the default if the key is absent.
    void value(const std::string& key, double& out, const char* meaning);
    void value(const std::string& key, int& out, const char* meaning);
    void value(const std::string& key, std::int64_t& out, const char* meaning);
    void value(const std::string& key, std::uint64_t& out, const char* meaning);
    void value(const std::string& key, bool& out, const char* meaning);
    void value(const std::string& key, std::string& out, const char* meaning);
    void path(const std::string& key, std::string& out, const char* meaning);  ///< path of a file; an empty value is none
    void value(const std::string& key, std::array<double, 3>& out, const char* meaning);
    void value(const std::string& key, std::array<int, 3>& out, const char* meaning);
    void value(const std::string& key, std::vector<int>& out, const char* meaning);
    void value(const std::string& key, Box& out, const char* meaning);  ///< [[x, y, z], [x, y, z]]
    template <class T>
    void value(const std::string& key, std::optional<T>& out, const char* meaning) {
        T given{};
        value(key, given, meaning);
        if (lists_) keys_.back().default_value = "none";
        if (find(key)) out = given;
    }
    /// A key that has to be there: throws with its meaning if it is not.
    template <class T>
    void required(const std::string& key, T& out, const char* meaning) {
        require(key, meaning);
        value(key, out, meaning);
        if (lists_) keys_.back().default_value.clear();
    }
    /// An option of the solver (gravlet/option_list.hpp).
    void option(const std::string& name, Options& out);
    template <class E>
    void choice(const std::string& key, E& out, const char* meaning, const Choices<E>& choices) {
        if (lists_) keys_.push_back({key, names_of(choices), name_of(out, choices), meaning});
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
    static std::string name_of(const E& value, const Choices<E>& choices) {
        if constexpr (std::is_enum_v<E>)
            for (const auto& [name, entry] : choices)
                if (entry == value) return name;
        return {};
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
    template <class T>
    void list(const std::string& key, const char* type, const T& value, const char* meaning);

    YAML::Node node_;
    std::string path_;
    std::vector<std::string> known_;
    bool lists_ = false;
    std::vector<KeyInfo> keys_;  ///< what it has listed, if it lists
};

}  // namespace gravlet
