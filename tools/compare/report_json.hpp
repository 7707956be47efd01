// SPDX-License-Identifier: Apache-2.0
// Options, reports and what made them as JSON, under their own names: what has no value is left out, stages are objects by name.
#pragma once

#include "tools/config/made_by.hpp"

#include <gravlet/members.hpp>
#include <gravlet/option_list.hpp>
#include <gravlet/version.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace gravlet {

template <HasMembers S>
[[nodiscard]] nlohmann::ordered_json to_json(const S& s);

[[nodiscard]] inline nlohmann::ordered_json value_to_json(const std::vector<StageTime>& stages) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const StageTime& stage : stages) json[stage.name] = {{"max", stage.max}, {"mean", stage.mean}};
    return json;
}
template <class T>
[[nodiscard]] nlohmann::ordered_json value_to_json(const T& value) {
    if constexpr (HasMembers<T>)
        return to_json(value);
    else if constexpr (std::is_enum_v<T>)
        return to_string(value);
    else
        return value;
}
template <class T>
[[nodiscard]] nlohmann::ordered_json value_to_json(const std::optional<T>& value) {
    return value ? value_to_json(*value) : nlohmann::ordered_json();
}

template <HasMembers S>
[[nodiscard]] nlohmann::ordered_json to_json(const S& s) {
    nlohmann::ordered_json json;
    for_each_member(s, [&](const char* name, const auto& value) {
        if (auto written = value_to_json(value); !written.is_null()) json[name] = std::move(written);
    });
    return json;
}

/// Every option: numbers, truth values and boxes as such, all else as the word or text that set_option() takes.
[[nodiscard]] inline nlohmann::ordered_json to_json(const Options& options) {
    nlohmann::ordered_json json;
    for (const OptionInfo& option : option_list()) {
        const std::string text = get_option(options, option.name);
        const bool is_word = option.type == "word" || option.type == "words" || option.type == "path";
        const auto number = nlohmann::ordered_json::parse(text, nullptr, false);
        json[option.name] = is_word || number.is_discarded() ? nlohmann::ordered_json(text) : number;
    }
    return json;
}

[[nodiscard]] inline nlohmann::ordered_json to_json(const MadeBy& made_by) {
    return {{"version", version()}, {"commit", made_by.commit}, {"command", made_by.command}, {"date", made_by.date}};
}

/// What files state, by name.
[[nodiscard]] inline nlohmann::ordered_json to_json(const Provenance& origin) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    for (const auto& [name, value] : origin) std::visit([&](const auto& one) { json[name] = one; }, value);
    return json;
}

}  // namespace gravlet
