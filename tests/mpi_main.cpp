// SPDX-License-Identifier: Apache-2.0
// main() of every test: GoogleTest between MPI_Init and MPI_Finalize, on any number of ranks. All ranks run all tests; rank 0
// prints them, the others print only what fails, with their rank. A failure on any rank is the result of all.
//
// temp_directory_path() is a folder of this run's, the same on all ranks, and gone with it: other tests, and other people's, run
// beside it.
//
// With GRAVLET_TEST_GPU in the environment, a machine without a GPU skips them all (cmake/GravletTest.cmake).
#include "tests/ledger/bounds.hpp"

#include <gravlet/version.hpp>

#include <gtest/gtest.h>

#include <mpi.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/lsan_interface.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace {

class FailurePrinter : public testing::EmptyTestEventListener {
public:
    explicit FailurePrinter(int rank) : rank_(rank) {}

private:
    void OnTestStart(const testing::TestInfo& test) override { name_ = std::string(test.test_suite_name()) + '.' + test.name(); }

    // GoogleTest holds its lock here: asking it for the current test would never return.
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (!result.failed()) return;
        std::ostringstream text;  // one write, so that the ranks' lines do not mix
        text << "[rank " << rank_ << "] " << name_ << ": ";
        if (result.file_name() != nullptr) text << result.file_name() << ':' << result.line_number() << '\n';
        text << result.message() << '\n';
        std::cerr << text.str() << std::flush;
    }

    int rank_;
    std::string name_;
};

// Leak checks leave Open MPI out: what it allocates while it starts, and (cmake/lsan.supp) later. They run before MPI_Finalize
// and not at exit, because by then its plugins are unloaded, and what they leak could no longer be told from our own.
void init_mpi(int& argc, char**& argv) {
#if defined(__SANITIZE_ADDRESS__)
    const __lsan::ScopedDisabler no_leaks;
#endif
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
}

bool has_leaks() {
#if defined(__SANITIZE_ADDRESS__)
    return __lsan_do_recoverable_leak_check() != 0;
#else
    return false;
#endif
}

/// Collective: makes TMPDIR a new folder.
class TemporaryFolder {
public:
    explicit TemporaryFolder(int rank) : owner_(rank == 0) {
        if (owner_) {
            std::string name = (std::filesystem::temp_directory_path() / "gravlet_test_XXXXXX").string();
            if (name.size() >= sizeof path_ || mkdtemp(name.data()) == nullptr) {
                std::cerr << "cannot make " << name << std::endl;
                MPI_Abort(MPI_COMM_WORLD, 1);
            }
            name.copy(path_, sizeof path_ - 1);
        }
        MPI_Bcast(path_, sizeof path_, MPI_CHAR, 0, MPI_COMM_WORLD);
        setenv("TMPDIR", path_, 1);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (owner_) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

private:
    bool owner_;
    char path_[4096] = {};
};

constexpr int skipped = 77;

/// Whether a rank lacks the GPU that it should test.
bool lacks_gpu() {
    if (std::getenv("GRAVLET_TEST_GPU") == nullptr) return false;
    const std::vector<std::string> names = gravlet::backends();
    int lacks = std::ranges::any_of(names, [](const std::string& name) { return name.starts_with("gpu"); }) ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &lacks, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return lacks != 0;
}

/// Of all ranks.
int run_tests(int argc, char** argv, int rank) {
    const TemporaryFolder folder(rank);
    testing::InitGoogleTest(&argc, argv);
    if (lacks_gpu()) {
        if (rank == 0) std::cout << "skipped: needs an NVIDIA GPU, none here" << std::endl;
        return skipped;
    }
    if (rank != 0) {
        testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
        std::unique_ptr<testing::TestEventListener> printer(listeners.Release(listeners.default_result_printer()));
        listeners.Append(new FailurePrinter(rank));
    }
    int failed = RUN_ALL_TESTS();
    gravlet::test::write_bounds(rank);
    if (has_leaks()) failed = 1;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return failed;
}

}  // namespace

int main(int argc, char** argv) {
    init_mpi(argc, argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int result = run_tests(argc, argv, rank);
    MPI_Finalize();
    return result;
}
