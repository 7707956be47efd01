// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <utility>

namespace gravlet {

/// An open file of the system's. Its destructor closes it where nothing that is written can be lost by closing.
class [[nodiscard]] Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int file) : file_(file) {}
    Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    ~Descriptor() {
        if (file_ >= 0) close(file_);
    }
    [[nodiscard]] int get() const { return file_; }

private:
    int file_ = -1;
};

}  // namespace gravlet
