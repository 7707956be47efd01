// SPDX-License-Identifier: Apache-2.0
// Options by name, as text: for hosts whose users choose them in a parameter file, and for whoever shows them. What C, Fortran,
// the gravlet command's YAML and docs/reference/options.md say of options comes from this one list.
//
//     for (const auto& [name, value] : parameters_of_my_code) gravlet::set_option(options, name, value);
#pragma once

#include <gravlet/export.h>
#include <gravlet/options.hpp>
#include <gravlet/standard.hpp>

#include <span>
#include <string>
#include <string_view>

namespace gravlet {

/// What is to be known of one member of Options. All but the help is as set_option() takes it.
struct OptionInfo {
    std::string name;           ///< the member's
    std::string type;           ///< number, integer, boolean, word, words (one for all directions, or three), box or path
    std::string range;          ///< text such as "0.1 to 1, 0 (direct sum), auto"; of words, all of them; "" if there is none
    std::string default_value;  ///< "" of a path that is none
    std::string help;           ///< one sentence
};

/// The list of all members of Options, each once.
[[nodiscard]] GRAVLET_API std::span<const OptionInfo> option_list();

/// Local. `value` as in YAML: a number (1e-4, also 1d-4), "true" or "false", a word, "[periodic, periodic, isolated]",
/// "[[0, 0, 0], [1, 1, 1]]" (brackets and commas may be left out) or "none", a path or nothing. "auto" is for all options that
/// can be left to gravlet. Throws Error(invalid_option) on an unknown name, with the nearest one, and on a value that is not of
/// the option's type, and leaves `options` alone. Ranges are checked with all options together, by validate() or the Solver.
GRAVLET_API void set_option(Options& options, std::string_view name, std::string_view value);

/// Local. The option's value, as set_option() takes it. Throws Error(invalid_option) on an unknown name.
[[nodiscard]] GRAVLET_API std::string get_option(const Options& options, std::string_view name);

}  // namespace gravlet
