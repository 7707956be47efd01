// SPDX-License-Identifier: Apache-2.0
// Numbers and names as people write them, in files and on command lines. Nothing here depends on the locale.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gravlet {

/// A finite number: 1e-4, .5, +1, and Fortran's 1d-4.
[[nodiscard]] std::optional<double> number_from(std::string_view text);

/// An integer read from its decimal digits, which are never made a double: 1e6 and 1.5e6 are integers too.
template <class T>
struct IntegerText {
    std::optional<T> value{};
    bool beyond = false;     ///< whether it is an integer, but no T
    std::string expected{};  ///< what was expected, without a value: "an integer", or its range
};
/// T: int, std::int64_t or std::uint64_t.
template <class T>
[[nodiscard]] IntegerText<T> integer_from(std::string_view text);

/// A boolean: true, yes, on, and their contraries, as YAML has them, in any case; Fortran's .true. too.
[[nodiscard]] std::optional<bool> boolean_from(std::string_view text);

/// The words between blanks, commas and brackets.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);

[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::string join(const std::vector<std::string>& names);

[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);
/// The entry of `names` that is closest to `word` by edits; empty if none is close.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// What is wrong with a name that is not one of `known`.
[[nodiscard]] std::string unknown_name(std::string_view name, const char* what, const std::vector<std::string>& known);

}  // namespace gravlet
