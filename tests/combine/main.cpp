// SPDX-License-Identifier: Apache-2.0
// combine [--seed N] [--count N] [--seconds S] [--backend cpu|gpu] [--verbose]: random combinations, one a seed from N on, on all
// ranks of MPI_COMM_WORLD. Prints those that are wrong, shrunk, and what was reached. Exit code 1 if any is wrong.
#include "tests/combine/draw/draw.hpp"
#include "tests/combine/shrink.hpp"
#include "tests/combine/tally.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string_view>

namespace gravlet::combine {
namespace {

struct Arguments {
    std::uint64_t seed = 1;
    long count = std::numeric_limits<long>::max();
    double seconds = 0.0;  ///< 0: no end but count
    Backend backend = Backend::cpu;
    bool verbose = false;
};

Arguments read(int argc, char** argv) {
    Arguments out;
    bool ends = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        const auto value = [&]() -> const char* { return i + 1 < argc ? argv[++i] : ""; };
        if (name == "--verbose") out.verbose = true;
        if (name == "--seed") out.seed = std::strtoull(value(), nullptr, 10);
        if (name == "--count") out.count = std::strtol(value(), nullptr, 10), ends = true;
        if (name == "--seconds") out.seconds = std::strtod(value(), nullptr), ends = true;
        if (name == "--backend") out.backend = std::string_view(value()) == "gpu" ? Backend::gpu : Backend::cpu;
    }
    if (!ends) out.count = 100;
    return out;
}

/// A case that never ends, or ends the process, says which it is.
char running[64];
void die(int signal) {
    const ssize_t written = write(STDERR_FILENO, running, std::strlen(running));
    std::signal(signal, SIG_DFL);
    if (written >= 0) std::raise(signal);
}
void watch(const Case& c) {
    constexpr unsigned most_seconds = 300;
    std::snprintf(running, sizeof running, "died in seed %llu\n", static_cast<unsigned long long>(c.seed));
    alarm(most_seconds);
}

void report(const Case& c, const Verdict& verdict, const char* what) {
    fmt::print("{} seed {} on {} ranks, {} {} by {}, step {}: {}\n", what, c.seed, c.ranks, kind_of(c), boundary_of(c),
               to_string(c.language), verdict.step, verdict.text);
}

bool time_is_up(const Arguments& arguments, double start) {
    int up = arguments.seconds > 0.0 && MPI_Wtime() - start > arguments.seconds ? 1 : 0;
    MPI_Bcast(&up, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return up != 0;
}

int run(const Arguments& arguments) {
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const double start = MPI_Wtime();
    Tally tally;
    for (long i = 0; i < arguments.count && !time_is_up(arguments, start); ++i) {
        const Case c = draw(arguments.seed + static_cast<std::uint64_t>(i), ranks, arguments.backend);
        watch(c);
        const double began = MPI_Wtime();
        Verdict verdict = play(c);
        if (rank == 0 && arguments.verbose)
            fmt::print("seed {} {} {} {:.3f} s, {:.2g} {:.2g} {:.2g} of what is allowed\n", c.seed, kind_of(c), boundary_of(c),
                       MPI_Wtime() - began, verdict.worst[0], verdict.worst[1], verdict.worst[2]);
        tally.add(c, verdict);
        if (verdict.good()) continue;
        if (rank == 0) report(c, verdict, verdict.fault == Verdict::Fault::wrong ? "WRONG" : "UNCLEAR");
        const Case small = shrunk(c, verdict);
        if (rank == 0) {
            report(small, verdict, "shrunk:");
            fmt::print("{}\n", as_code(small));
            std::fflush(stdout);
        }
    }
    alarm(0);
    if (rank == 0) fmt::print("{}", tally.table());
    return tally.wrong() > 0 ? 1 : 0;
}

}  // namespace
}  // namespace gravlet::combine

int main(int argc, char** argv) {
    using namespace gravlet::combine;
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    for (const int signal : {SIGSEGV, SIGFPE, SIGABRT, SIGALRM}) std::signal(signal, die);
    const int code = run(read(argc, argv));
    MPI_Finalize();
    return code;
}
