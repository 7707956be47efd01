// SPDX-License-Identifier: Apache-2.0
#include "tools/evolve/log.hpp"

#include "hdf5/input_file.hpp"
#include "hdf5/new_file.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <filesystem>
#include <iterator>

namespace gravlet {
namespace {

// The header and all lines up to a time.
std::string lines_until(const LogKind& kind, const std::string& path, double time) {
    if (!kind.from_start && !std::filesystem::exists(path)) return std::string(kind.columns);
    require_file(path);
    std::ifstream file(path);
    std::string line, kept(kind.columns);
    if (!std::getline(file, line) || line + '\n' != kind.columns)
        throw Error(ErrorCode::file, path + ": is no log of a run that could go on");
    while (std::getline(file, line) && !file.eof()) {  // the rest of a line that a killed run did not end is of a later time
        double at = 0.0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), at);
        if (error != std::errc() || at > time * (1.0 + 1e-12)) break;
        kept += line + '\n';
    }
    return kept;
}

}  // namespace

Log::Log(MPI_Comm comm, const LogKind& kind, const std::string& path, double restart) : comm_(comm) {
    agree(comm, [&] {
        path_ = path;
        if (rank_in(comm) != 0 || path.empty()) return;
        const std::string begin = restart > 0.0 ? lines_until(kind, path, restart) : std::string(kind.columns);
        NewFile file(path);
        file.write(begin);
        file.commit();
        file_.open(path, std::ios::app);
    });
}

void Log::write(const std::string& text) {
    file_ << text << std::flush;
    if (!file_) throw Error(ErrorCode::file, path_ + ": cannot be written (is the disk full?)");
}

std::string to_csv(const LogLine& line) {
    const MotionSums& s = line.sums;
    std::array<double, 3> centre{};
    for (std::size_t d = 0; d < 3; ++d) centre[d] = s.mass_position[d] / s.mass;
    return fmt::format("{:.17g},{},{:.17g},{:.17g},{:.17g},{:.9g},{:.9g},{:.9g},{:.9g},{:.6g},{:.6g},{}\n", line.time, line.steps,
                       s.kinetic, s.potential, line.energy(), -2.0 * s.kinetic / s.potential, fmt::join(s.momentum, ","),
                       fmt::join(s.angular_momentum, ","), fmt::join(centre, ","), line.seconds, line.pairs, line.active);
}

std::string to_csv(const std::vector<SubStep>& steps) {
    std::string text;
    for (const SubStep& step : steps)
        fmt::format_to(std::back_inserter(text), "{:.17g},{},{},{:.6g},{:.6g},{:.6g},{:d}\n", step.time, step.level, step.active,
                       step.seconds, step.walk, step.pairs, step.kept);
    return text;
}

}  // namespace gravlet
