// SPDX-License-Identifier: Apache-2.0
// One line on the terminal, written by rank 0, that says what is going on; nothing where standard error is no terminal.
#pragma once

#include <mpi.h>

#include <string_view>

namespace gravlet {

class Progress {
public:
    /// Local.
    explicit Progress(MPI_Comm comm);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void say(std::string_view what);
    /// Wipes the line, before other output.
    void clear();

private:
    bool on_;
};

}  // namespace gravlet
