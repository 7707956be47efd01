// SPDX-License-Identifier: Apache-2.0
// Names that HDF5 calls back with, one by one. No exception may go through it: HDF5 would keep what it has open, and crash at
// exit.
#pragma once

#include <new>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

class NameList {
public:
    /// HDF5's own sign to go on (0) or to end (below).
    int add(const char* name) noexcept {
        try {
            names_.emplace_back(name);
        } catch (...) {
            lost_ = true;
        }
        return lost_ ? -1 : 0;
    }
    /// The names. Throws if there was no memory for one.
    [[nodiscard]] std::vector<std::string> take() {
        if (lost_) throw std::bad_alloc();
        return std::move(names_);
    }

private:
    std::vector<std::string> names_;
    bool lost_ = false;
};

}  // namespace gravlet
