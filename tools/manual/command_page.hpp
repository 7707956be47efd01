// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gravlet {

/// Local. docs/reference/command.md: the commands and all keys of their files, in Markdown.
[[nodiscard]] std::string command_page();

}  // namespace gravlet
