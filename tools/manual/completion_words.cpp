// SPDX-License-Identifier: Apache-2.0
#include "tools/manual/completion_words.hpp"

#include "tools/config/schema.hpp"
#include "tools/help.hpp"
#include "tools/manual/words.hpp"

#include <algorithm>

namespace gravlet {
namespace {

/// Whether a command's file may have a key: where the key is named by kinds of problems, any that reads a problem.
bool is_of(const KeyHelp& entry, const std::string& command) {
    return entry.name.starts_with("problem.") || std::ranges::find(entry.where, "gravlet " + command) != entry.where.end();
}

}  // namespace

std::vector<std::string> kinds() {
    std::vector<std::string> all;
    for (const ProblemInfo& problem : problem_kinds()) all.push_back(problem.kind);
    return all;
}

std::map<std::string, std::string> keys_of(const std::string& command) {
    std::map<std::string, std::string> all;
    for (const KeyHelp& entry : all_keys())
        if (is_of(entry, command)) all.emplace(entry.name, entry.key.meaning);
    return all;
}

std::set<std::string> help_words() {
    std::set<std::string> all;
    for (const KeyHelp& entry : all_keys()) {
        all.insert(entry.name);
        all.insert(entry.name.substr(0, entry.name.find('.')));
    }
    return all;
}

std::map<std::string, Values> values() {
    std::map<std::string, Values> all;
    for (const KeyHelp& entry : all_keys()) {
        Values found{.words = {}, .path = entry.key.type == "path" || entry.name == "problem.path"};
        for (const std::string& word : entry.name == "problem.kind" ? kinds() : words_of(entry.key.type))
            found.words.insert(word);
        if (!found.path && found.words.empty()) continue;
        Values& to = all[entry.name];
        to.path = to.path || found.path;
        to.words.merge(found.words);
    }
    return all;
}

}  // namespace gravlet
