// SPDX-License-Identifier: Apache-2.0
// The command's readers and writers, which faults are tried on: files of a folder that all ranks share.
#pragma once

#include "tests/fault/trial.hpp"

#include <filesystem>
#include <vector>

namespace gravlet::test {

/// Collective. Made with what there is to read, and gone at the end.
class CommandFolder {
public:
    CommandFolder();
    ~CommandFolder();
    CommandFolder(const CommandFolder&) = delete;
    CommandFolder& operator=(const CommandFolder&) = delete;

    [[nodiscard]] static std::filesystem::path path();
};

/// Each of them needs a CommandFolder.
[[nodiscard]] std::vector<Case> command_cases();

}  // namespace gravlet::test
