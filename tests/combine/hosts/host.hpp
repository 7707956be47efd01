// SPDX-License-Identifier: Apache-2.0
// Who calls the solver, in one of the languages that there are. All calls but one are collective.
#pragma once

#include "tests/combine/arrays.hpp"

#include <mpi.h>

#include <memory>
#include <string>

namespace gravlet::combine {

/// What came of a call. code: an ErrorCode's, 0: good, `other`: something that was no Error.
struct Answer {
    static constexpr int other = 1000;
    int code = 0;
    std::string text{};
    [[nodiscard]] bool good() const { return code == 0; }
};

class Host {
public:
    Host() = default;
    virtual ~Host() = default;
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    virtual Answer create(MPI_Comm comm, const Options& options, bool listener) = 0;
    virtual Answer solve(Arrays& arrays) = 0;
    /// Softening and domain, if there is one.
    virtual Answer set_lengths(const Options& options) = 0;
    /// Local.
    virtual Answer only_changed(const std::vector<std::uint8_t>& flags) = 0;
    /// What a listener has heard is wrong: stages that do not end, warnings without text. "": nothing.
    [[nodiscard]] virtual std::string misheard() const { return ""; }
};

/// Of those that this build has; C++ in place of others.
std::unique_ptr<Host> make_host(Language language);
std::unique_ptr<Host> make_cpp_host();
std::unique_ptr<Host> make_c_host();
std::unique_ptr<Host> make_fortran_host();

}  // namespace gravlet::combine
