// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/snapshots/numbered_name.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace gravlet {
namespace {

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

}  // namespace

bool NumberedName::has(std::string_view path) const {
    return path.size() > before.size() + after.size() && path.starts_with(before) && path.ends_with(after) &&
           is_number(path.substr(before.size(), path.size() - before.size() - after.size()));
}

std::optional<NumberedName> numbered(const std::string& path) {
    const std::size_t name = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
    const auto dot_before = [&](std::size_t end) {
        const std::size_t dot = end > name ? path.rfind('.', end - 1) : path.npos;
        return dot == path.npos || dot < name ? path.npos : dot;
    };
    for (std::size_t end = path.size(); end != path.npos;) {
        const std::size_t dot = dot_before(end);
        if (dot == path.npos) break;
        if (is_number(path.substr(dot + 1, end - dot - 1))) return NumberedName{path.substr(0, dot + 1), path.substr(end)};
        end = end == path.size() ? dot : path.npos;  // one ending may follow the number
    }
    return std::nullopt;
}

std::vector<std::string> other_snapshot_files(const std::string& path) {
    namespace fs = std::filesystem;
    std::vector<std::string> others;
    const fs::path file = path;
    const std::optional<NumberedName> name = numbered(file.filename().string());
    if (!name) return others;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(file.has_parent_path() ? file.parent_path() : ".", none))
        if (name->has(entry.path().filename().string()) && entry.path().filename() != file.filename())
            others.push_back((file.parent_path() / entry.path().filename()).string());
    std::ranges::sort(others);
    return others;
}

}  // namespace gravlet
