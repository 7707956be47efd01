// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gravlet {

/// Local. The command's manual page, in the language of man(7): commands, options, kinds of problems and all keys of the file, as
/// the command knows them.
[[nodiscard]] std::string man_page();

}  // namespace gravlet
