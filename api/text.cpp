// SPDX-License-Identifier: Apache-2.0
#include "api/text.hpp"

#include "api/float_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gravlet {
namespace {

constexpr std::string_view blanks = " \t\r\n";

template <class T>
bool read_all(std::string_view text, T& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

std::string_view without_plus(std::string_view text) {
    const bool signed_twice = text.size() > 1 && text[1] == '-';
    return text.starts_with('+') && !signed_twice ? text.substr(1) : text;
}

struct WholeNumber {
    std::optional<std::int64_t> value;
    bool beyond = false;  ///< whether it is an integer, but too large
};

WholeNumber whole_number(std::string_view text) {
    constexpr int longest = 1000;  // so that no exponent below overflows
    const WholeNumber none{std::nullopt, false}, beyond{std::nullopt, true};
    const std::size_t mark = text.find_first_of("eE");
    std::string digits(without_plus(text.substr(0, mark)));
    int exponent = 0;
    if (mark != std::string_view::npos && !read_all(without_plus(text.substr(mark + 1)), exponent)) return none;
    if (digits.size() > longest || exponent < -longest) return none;
    if (const std::size_t point = digits.find('.'); point != std::string::npos) {
        exponent -= static_cast<int>(digits.size() - point - 1);
        digits.erase(point, 1);
    }
    const std::string_view unsigned_digits = std::string_view(digits).substr(digits.starts_with('-') ? 1 : 0);
    if (unsigned_digits.empty() || unsigned_digits.find_first_not_of("0123456789") != std::string_view::npos) return none;
    for (; exponent < 0 && digits.ends_with('0'); ++exponent) digits.pop_back();
    if (exponent < 0) return none;
    if (exponent > std::numeric_limits<std::int64_t>::digits10) return beyond;
    digits.append(static_cast<std::size_t>(exponent), '0');
    std::int64_t value = 0;
    if (!read_all(digits, value)) return beyond;
    return {value, false};
}

}  // namespace

std::optional<double> number_from(std::string_view text) {
    const OwnEnvironment rounds_to_nearest;
    std::string digits = lower(without_plus(text));
    std::ranges::replace(digits, 'd', 'e');
    if (const std::size_t sign = digits.find("e+"); sign != std::string::npos) digits.erase(sign + 1, 1);
    double value = 0.0;
    if (!read_all(digits, value) || !std::isfinite(value)) return {};
    return value;
}

template <class T>
IntegerText<T> integer_from(std::string_view text) {
    const WholeNumber number = whole_number(text);
    IntegerText<T> out;
    if (number.value && std::in_range<T>(*number.value)) {
        out.value = static_cast<T>(*number.value);
    } else if (number.value || number.beyond) {
        out.beyond = true;
        out.expected = fmt::format("an integer from {} to {}", std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
    } else {
        out.expected = "an integer";
    }
    return out;
}

template IntegerText<int> integer_from(std::string_view);
template IntegerText<std::int64_t> integer_from(std::string_view);
template IntegerText<std::uint64_t> integer_from(std::string_view);

std::optional<bool> boolean_from(std::string_view text) {
    const std::string word = lower(text);
    for (const char* yes : {"true", "yes", "on", "y", ".true."})
        if (word == yes) return true;
    for (const char* no : {"false", "no", "off", "n", ".false."})
        if (word == no) return false;
    return {};
}

std::vector<std::string_view> words_of(std::string_view text) {
    constexpr std::string_view between = " \t\r\n,[]";
    std::vector<std::string_view> words;
    for (std::size_t begin = text.find_first_not_of(between); begin != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(between, begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(between, end);
    }
    return words;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string join(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

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

std::string unknown_name(std::string_view name, const char* what, const std::vector<std::string>& known) {
    const std::string close = nearest(name, known);
    if (close.empty()) return fmt::format("{}: unknown {}; valid {}s: {}", name, what, what, join(known));
    return fmt::format("{}: unknown {}; did you mean {}? (valid {}s: {})", name, what, close, what, join(known));
}

}  // namespace gravlet
