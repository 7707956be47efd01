// SPDX-License-Identifier: Apache-2.0
// What was reached: how many cases of each kind.
#pragma once

#include "tests/combine/play.hpp"

#include <map>
#include <string>

namespace gravlet::combine {

class Tally {
public:
    void add(const Case& c, const Verdict& verdict);
    [[nodiscard]] long wrong() const { return wrong_; }
    /// One line a kind: group, kind and count between tabs, which scripts/combine adds up; and the largest errors.
    [[nodiscard]] std::string table() const;

private:
    void count(const std::string& group, const std::string& kind, long by = 1) { counts_[group][kind] += by; }

    std::map<std::string, std::map<std::string, long>> counts_;
    std::array<double, 3> worst_{};
    long wrong_ = 0;
};

}  // namespace gravlet::combine
