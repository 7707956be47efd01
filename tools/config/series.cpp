// SPDX-License-Identifier: Apache-2.0
#include "tools/config/series.hpp"

#include <fmt/format.h>

#include <dirent.h>

#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".hdf5";

std::optional<std::int64_t> number_of(const std::string& name, std::string_view file_name) {
    const std::string begin = fs::path(name).filename().string() + "_";
    if (!file_name.starts_with(begin) || !file_name.ends_with(extension)) return {};
    std::string_view digits = file_name.substr(begin.size());
    digits.remove_suffix(std::min(extension.size(), digits.size()));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = error == std::errc() && end == digits.data() + digits.size();
    if (!is_number || number < 0 || fs::path(series_path(name, number)).filename() != file_name) return {};
    return number;
}

}  // namespace

std::string series_path(const std::string& name, std::int64_t number) {
    return fmt::format("{}_{:04}{}", name, number, extension);
}

std::string stopped_path(const std::string& name) { return fmt::format("{}_stopped{}", name, extension); }

bool is_of_series(const std::string& name, const std::string& file_name) { return number_of(name, file_name).has_value(); }

// (Where memory runs out, the standard library's iterator of folders ends the program.)
std::vector<std::pair<std::int64_t, std::string>> series_files(const std::string& name) {
    std::vector<std::pair<std::int64_t, std::string>> files;
    const fs::path folder = fs::path(name).parent_path();
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.empty() ? "." : folder.c_str()), closedir);
    if (entries == nullptr) return files;
    while (const dirent* const entry = readdir(entries.get()))
        if (const auto number = number_of(name, entry->d_name)) files.emplace_back(*number, series_path(name, *number));
    return files;
}

}  // namespace gravlet
