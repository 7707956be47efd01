// SPDX-License-Identifier: Apache-2.0
#include "tools/present/last_words.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace gravlet {
namespace {

// Filled beforehand: a signal's handler may not allocate.
std::array<char, 1024> words;
std::size_t length = 0;

extern "C" void say_and_end(int) {
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words.data(), length);
    _exit(1);
}

}  // namespace

LastWords::LastWords(const char* key, const std::string& path) noexcept {
    if (path.empty()) return;
    const int written = std::snprintf(
        words.data(), words.size(),
        "gravlet: error: %s: %.800s: the program crashed while it read this file: HDF5 does so on some that are damaged\n", key,
        path.c_str());
    length = static_cast<std::size_t>(std::clamp(written, 0, static_cast<int>(words.size()) - 1));
    struct sigaction action {};
    action.sa_handler = say_and_end;
    for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
    listens_ = true;
}

LastWords::~LastWords() {
    for (std::size_t i = 0; listens_ && i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

}  // namespace gravlet
