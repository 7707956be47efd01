// SPDX-License-Identifier: Apache-2.0
#include "tools/info.hpp"

#include "gpu/engine.hpp"
#include "mpi/communicator.hpp"

#include <gravlet/option_list.hpp>
#include <gravlet/version.hpp>

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>
#include <thread>

namespace gravlet {

std::string info(MPI_Comm comm) {
    const Communicator communicator(comm);
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
    int length = 0;
    mpi_check(MPI_Get_library_version(library.data(), &length), "MPI_Get_library_version");
    std::string_view mpi(library.data(), static_cast<std::size_t>(length));
    mpi = mpi.substr(0, mpi.find(','));

    std::string text = fmt::format("gravlet {}\n", version());
    const auto line = [&](const char* name, const std::string& value) {
        fmt::format_to(std::back_inserter(text), "  {:<10}{}\n", name, value);
    };
    for (const std::string& backend : backends()) line("backend", backend);
    line("devices",
         fmt::format("{} CPU threads, {}", std::thread::hardware_concurrency(),
                     built_for_gpus() ? fmt::format("{} GPU(s)", backends().size() - 1) : "no GPU backend in this build"));
    line("MPI", fmt::format("{}; {} rank(s), {} on this machine", mpi, communicator.size(), communicator.ranks_on_node()));
    return text;
}

std::string options_text() {
    std::string text;
    for (const OptionInfo& option : option_list())
        text += fmt::format("{} ({}): {}\n    {}{}default {}\n", option.name, option.type, option.help, option.range,
                            option.range.empty() ? "" : "; ", option.default_value.empty() ? "none" : option.default_value);
    return text;
}

}  // namespace gravlet
