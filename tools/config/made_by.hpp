// SPDX-License-Identifier: Apache-2.0
// What results say of how they came about.
#pragma once

#include "amr_adapter/files/provenance.hpp"

#include <gravlet/options.hpp>

#include <string>

namespace gravlet {

/// What the command alone knows; alike on all ranks.
struct MadeBy {
    std::string commit;   ///< commit that it was built of
    std::string command;  ///< command line for a shell, without evolve.restart: what a run goes on from has no part in its files
    std::string date;     ///< when it began; for JSON alone, as other files come again bit for bit
};

/// Local. The command line, quoted where a shell needs that.
[[nodiscard]] std::string command_line(int argc, const char* const* argv);
/// Local. Now, in UTC, as ISO 8601 has it.
[[nodiscard]] std::string date_now();

/// Local. What files of such a solve say: gravlet_version, _commit, _command, _problem, _options (a line "name=value" each), and
/// gravlet_input where there is some.
[[nodiscard]] Provenance provenance_of(const MadeBy& made_by, const std::string& problem, const Options& options,
                                       const std::string& input);

/// Local. What the files state that a solve begins from, as gravlet_input has it: a line "name=value" each.
[[nodiscard]] std::string input_text(const Provenance& origin);
/// Local. What input_text() says, for people: a line each.
[[nodiscard]] std::string input_table(const Provenance& origin);

}  // namespace gravlet
