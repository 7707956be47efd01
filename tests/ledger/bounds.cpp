// SPDX-License-Identifier: Apache-2.0
#include "tests/ledger/bounds.hpp"

#include <unistd.h>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace gravlet::test {
namespace {

struct Noted {
    double measured = 0.0, bound = 0.0;
};

std::mutex guard;  // a test may judge in threads
std::map<std::pair<std::string, int>, Noted> notes;

}  // namespace

void note_bound(const char* file, int line, double measured, double bound) {
    if (!(bound > 0.0) || !std::isfinite(bound) || !(measured >= 0.0)) return;  // no bound of a size
    const std::lock_guard lock(guard);
    Noted& noted = notes[{file, line}];
    if (noted.bound == 0.0 || measured * noted.bound > noted.measured * bound) noted = {measured, bound};
}

void write_bounds(int rank) {
    const char* const folder = std::getenv("GRAVLET_BOUNDS");
    if (folder == nullptr || notes.empty()) return;
    const char* const backend = std::getenv("GRAVLET_TEST_GPU") != nullptr ? "gpu" : "cpu";
    std::ofstream out(std::string(folder) + '/' + std::to_string(getpid()) + '.' + std::to_string(rank) + ".tsv");
    out.precision(std::numeric_limits<double>::max_digits10);
    for (const auto& [place, noted] : notes)
        out << place.first << ':' << place.second << '\t' << backend << '\t' << noted.measured << '\t' << noted.bound << '\n';
}

}  // namespace gravlet::test
