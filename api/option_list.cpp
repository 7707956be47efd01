// SPDX-License-Identifier: Apache-2.0
#include <gravlet/option_list.hpp>

#include "api/option_list.hpp"
#include "api/option_table.hpp"
#include "api/text.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <variant>
#include <vector>

namespace gravlet {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

const OptionEntry& entry_of(std::string_view name) {
    const auto found = std::ranges::find(option_table, name, &OptionEntry::name);
    if (found != option_table.end()) return *found;
    std::vector<std::string> names;
    for (const OptionEntry& entry : option_table) names.emplace_back(entry.name);
    reject(unknown_name(name, "option", names));
}

[[noreturn]] void reject_value(const OptionEntry& entry, std::string_view value, const std::string& expected) {
    reject(fmt::format("{} is {}: expected {}", entry.name, value.empty() ? "empty" : value, expected));
}

template <class E>
std::string word_list() {
    return fmt::format("{}", fmt::join(words_for<E>, ", "));
}

template <class E>
std::optional<E> word_from(std::string_view text) {
    const auto found = std::ranges::find(words_for<E>, text);
    if (found == words_for<E>.end()) return {};
    return static_cast<E>(found - words_for<E>.begin());
}

template <class E>
std::string word_for(E value) {
    const auto index = static_cast<std::size_t>(value);
    return index < words_for<E>.size() ? words_for<E>[index] : fmt::format("number {}", static_cast<int>(value));
}

/// What the word auto stands for; null: nothing.
const Special* automatic_of(const OptionEntry& entry) {
    const auto found = std::ranges::find_if(entry.range.specials, &Special::is_automatic);
    return found != entry.range.specials.end() ? &*found : nullptr;
}

/// A range as text: "0.1 to 1" or "0 or more", and each number outside of that as `separator` and show(special).
template <class Show>
std::string describe(const Range& range, const char* separator, const Show& show) {
    std::string text = range.highest < std::numeric_limits<double>::infinity()
                           ? fmt::format("{} to {}", range.lowest, range.highest)
                           : fmt::format("{} or more", range.lowest);
    for (const Special& special : range.specials)
        if (!special.meaning.empty()) text += separator + show(special);
    return text;
}

std::string with_meaning(const Special& special) { return fmt::format("{} ({})", special.value, special.meaning); }

// ---- from text, by type

template <class T>
void read(const OptionEntry& entry, std::string_view text, T Options::*member, Options& out) {
    if constexpr (std::is_same_v<T, bool>) {
        const std::optional<bool> value = boolean_from(text);
        if (!value) reject_value(entry, text, "true or false");
        out.*member = *value;
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (const Special* special = automatic_of(entry); special != nullptr && text == special->meaning) {
            out.*member = static_cast<T>(special->value);
        } else if constexpr (std::is_same_v<T, double>) {
            const std::optional<double> value = number_from(text);
            if (!value) reject_value(entry, text, special != nullptr ? "a number or auto" : "a number");
            out.*member = *value;
        } else {
            const IntegerText<T> number = integer_from<T>(text);
            if (!number.value)
                reject_value(entry, text, number.expected + (special != nullptr && !number.beyond ? " or auto" : ""));
            out.*member = *number.value;
        }
    } else {
        const std::optional<T> value = word_from<T>(text);
        if (!value) reject_value(entry, text, "one of " + word_list<T>());
        out.*member = *value;
    }
}

void read(const OptionEntry& entry, std::string_view text, Boundaries Options::*member, Options& out) {
    std::vector<std::string_view> words = words_of(text);
    if (words.size() == 1) words.assign(3, words.front());
    Boundaries values{};
    bool good = words.size() == values.size();
    for (std::size_t d = 0; good && d < values.size(); ++d) {
        const std::optional<Boundary> value = word_from<Boundary>(words[d]);
        good = value.has_value();
        values[d] = value.value_or(Boundary{});
    }
    if (!good) reject_value(entry, text, "one of " + word_list<Boundary>() + ", or a list of three of them, as [x, y, z]");
    out.*member = values;
}

void read(const OptionEntry& entry, std::string_view text, std::optional<Box> Options::*member, Options& out) {
    if (text == "none") {
        out.*member = std::nullopt;
        return;
    }
    const std::vector<std::string_view> words = words_of(text);
    Box box;
    bool good = words.size() == 6;
    for (std::size_t i = 0; good && i < words.size(); ++i) {
        const std::optional<double> value = number_from(words[i]);
        good = value.has_value();
        (i < 3 ? box.lower : box.upper)[i % 3] = value.value_or(0.0);
    }
    if (!good) reject_value(entry, text, "two corners, the lower one first, as [[x, y, z], [x, y, z]], or none");
    out.*member = box;
}

void read(const OptionEntry&, std::string_view text, Path path, Options& out) { out.*path.member = text; }

// ---- to text

template <class T>
std::string write(const OptionEntry& entry, const Options& from, T Options::*member) {
    const T value = from.*member;
    if constexpr (std::is_same_v<T, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_arithmetic_v<T>) {
        const Special* special = automatic_of(entry);
        return special != nullptr && value == static_cast<T>(special->value) ? std::string(special->meaning)
                                                                             : fmt::format("{}", value);
    } else {
        return word_for(value);
    }
}

std::string write(const OptionEntry&, const Options& from, Boundaries Options::*member) { return to_string(from.*member); }

std::string write(const OptionEntry&, const Options& from, std::optional<Box> Options::*member) {
    if (!(from.*member)) return "none";
    const auto& [low, high] = *(from.*member);
    return fmt::format("[[{}, {}, {}], [{}, {}, {}]]", low[0], low[1], low[2], high[0], high[1], high[2]);
}

std::string write(const OptionEntry&, const Options& from, Path path) { return from.*path.member; }

std::string write(const OptionEntry& entry, const Options& from) {
    return std::visit([&](auto member) { return write(entry, from, member); }, entry.member);
}

// ---- about them

template <class T>
const char* type_of(T Options::*) {
    if constexpr (std::is_same_v<T, bool>) return "boolean";
    if constexpr (std::is_same_v<T, double>) return "number";
    if constexpr (std::is_integral_v<T>) return "integer";
    return "word";
}
const char* type_of(Boundaries Options::*) { return "words"; }
const char* type_of(std::optional<Box> Options::*) { return "box"; }
const char* type_of(Path) { return "path"; }

/// An option's range as text: "0.1 to 1, 0 (direct sum), auto"
template <class T>
std::string range_of(const OptionEntry& entry, T Options::*) {
    if constexpr (std::is_same_v<T, bool>) return "true, false";
    if constexpr (std::is_enum_v<T>) return word_list<T>();
    return describe(entry.range, ", ", [](const Special& special) {
        return special.is_automatic() ? std::string(special.meaning) : with_meaning(special);
    });
}
std::string range_of(const OptionEntry&, Boundaries Options::*) { return word_list<Boundary>(); }
std::string range_of(const OptionEntry&, std::optional<Box> Options::*) { return "[[x, y, z], [x, y, z]], none"; }
std::string range_of(const OptionEntry&, Path) { return {}; }

template <class T>
void check(const OptionEntry& entry, const Options& options, T Options::*member) {
    const T value = options.*member;
    if constexpr (std::is_enum_v<T>) {
        // Values that came as numbers, from C or Fortran.
        const int number = static_cast<int>(value), most = static_cast<int>(words_for<T>.size()) - 1;
        if (number < 0 || number > most) reject(fmt::format("{} is number {}, must be from 0 to {}", entry.name, number, most));
    } else if constexpr (!std::is_same_v<T, bool>) {
        const double number = static_cast<double>(value);
        const Range& range = entry.range;
        if (number >= range.lowest && number <= range.highest) return;
        if (std::ranges::any_of(range.specials, [&](const Special& s) { return !s.meaning.empty() && s.value == number; }))
            return;
        reject(fmt::format("{} is {}, must be {}", entry.name, value, describe(range, ", or ", with_meaning)));
    }
}
void check(const OptionEntry& entry, const Options& options, Boundaries Options::*member) {
    for (const Boundary boundary : options.*member)
        if (static_cast<std::size_t>(boundary) >= words_for<Boundary>.size())
            reject(fmt::format("{} is number {}, must be from 0 to {}", entry.name, static_cast<int>(boundary),
                               words_for<Boundary>.size() - 1));
}
void check(const OptionEntry&, const Options&, std::optional<Box> Options::*) {}
void check(const OptionEntry& entry, const Options& options, Path path) {
    if ((options.*path.member).find('\0') != std::string::npos) reject(fmt::format("{} has a byte of zero in it", entry.name));
}

}  // namespace

// [generated: words] scripts/generate, api/schema
std::string to_string(Backend value) { return word_for(value); }
std::string to_string(GpuSharing value) { return word_for(value); }
std::string to_string(Boundary value) { return word_for(value); }
std::string to_string(PeriodicMethod value) { return word_for(value); }
std::string to_string(Background value) { return word_for(value); }
std::string to_string(SofteningKernel value) { return word_for(value); }
std::string to_string(Criterion value) { return word_for(value); }
std::string to_string(NearCells value) { return word_for(value); }
std::string to_string(UniformMesh value) { return word_for(value); }
std::string to_string(ActiveBits value) { return word_for(value); }
std::string to_string(Precision value) { return word_for(value); }
std::string to_string(ErrorOf value) { return word_for(value); }
std::string to_string(ErrorMeasure value) { return word_for(value); }
// [/generated]

std::string to_string(const Boundaries& b) {
    if (b[0] == b[1] && b[1] == b[2]) return to_string(b[0]);
    return fmt::format("[{}, {}, {}]", to_string(b[0]), to_string(b[1]), to_string(b[2]));
}

std::string to_string(const Options& options) {
    std::string text;
    for (const OptionEntry& entry : option_table) text += fmt::format("{}: {}\n", entry.name, write(entry, options));
    return text;
}

std::span<const OptionInfo> option_list() {
    static const std::vector<OptionInfo> list = [] {
        const Options defaults;
        std::vector<OptionInfo> out;
        for (const OptionEntry& entry : option_table)
            std::visit(
                [&](auto member) {
                    out.push_back(
                        {entry.name, type_of(member), range_of(entry, member), write(entry, defaults, member), entry.help});
                },
                entry.member);
        return out;
    }();
    return list;
}

void set_option(Options& options, std::string_view name, std::string_view value) {
    const OptionEntry& entry = entry_of(trimmed(name));
    if (!std::holds_alternative<Path>(entry.member)) value = trimmed(value);
    std::visit([&](auto member) { read(entry, value, member, options); }, entry.member);
}

std::string get_option(const Options& options, std::string_view name) { return write(entry_of(trimmed(name)), options); }

void check_each(const Options& options) {
    for (const OptionEntry& entry : option_table) std::visit([&](auto member) { check(entry, options, member); }, entry.member);
}

}  // namespace gravlet
