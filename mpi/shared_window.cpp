// SPDX-License-Identifier: Apache-2.0
#include "mpi/shared_window.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace gravlet {
namespace {

/// A file descriptor that closes itself. What is mapped stays mapped.
class Descriptor {
public:
    Descriptor() = default;
    ~Descriptor() {
        if (number_ >= 0) close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    void create(std::size_t bytes) {
        number_ = memfd_create("gravlet", MFD_CLOEXEC);
        if (number_ < 0) refuse("memfd_create", errno);
        const int code = posix_fallocate(number_, 0, static_cast<off_t>(bytes));
        if (code != 0)
            throw Error(ErrorCode::out_of_memory, fmt::format("{:.0f} MB of memory shared between ranks: {}",
                                                              1e-6 * static_cast<double>(bytes), std::strerror(code)));
    }
    void open(const char* path) {
        number_ = ::open(path, O_RDWR | O_CLOEXEC);
        if (number_ < 0) refuse(path, errno);
    }
    [[nodiscard]] std::byte* map(std::size_t bytes) const {
        void* const data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number_, 0);
        if (data == MAP_FAILED) throw Error(ErrorCode::out_of_memory, fmt::format("mmap: {}", std::strerror(errno)));
        return static_cast<std::byte*>(data);
    }
    /// Path by which the user's other processes may open it.
    [[nodiscard]] std::string path() const { return fmt::format("/proc/{}/fd/{}", getpid(), number_); }

private:
    [[noreturn]] static void refuse(const std::string& what, int code) {
        throw Error(ErrorCode::not_available, fmt::format("memory shared between ranks: {}: {}", what, std::strerror(code)));
    }
    int number_ = -1;
};

constexpr std::size_t granule = std::size_t{1} << 21;  ///< sizes are multiples of it

}  // namespace

void SharedWindow::reserve(Stages& stages, std::size_t bytes) {
    const bool grows = bytes > size_;
    int any = grows ? 1 : 0;
    stages.collective([&](const Agreed& all) { all.all_reduce(&any, 1, MPI_MAX); });
    stages.agree();
    if (any == 0) return;
    try {
        remake(stages, grows, std::max(bytes, size_ + size_ / 4));
    } catch (...) {
        if (grows) release();
        throw;
    }
}

void SharedWindow::remake(Stages& stages, bool here, std::size_t bytes) {
    if (here) release();
    const std::size_t size = (bytes + granule - 1) / granule * granule;
    const bool leads = members_.rank() == 0;
    Descriptor file;
    std::array<char, 64> path{};
    stages.local([&] {
        if (!here || !leads) return;
        file.create(size);
        file.path().copy(path.data(), path.size() - 1);
    });
    stages.collective([&](const Agreed& all) {
        if (here) all.check(MPI_Bcast(path.data(), static_cast<int>(path.size()), MPI_CHAR, 0, members_.get()), "MPI_Bcast");
    });
    stages.local([&] {
        if (!here) return;
        if (!leads) file.open(path.data());
        data_ = file.map(size);
        size_ = size;
        if (mapped_) mapped_(data_, size_);
    });
    stages.agree();  // the leader's file is there until all have mapped it
}

void SharedWindow::release() noexcept {
    if (data_ == nullptr) return;
    if (unmapping_) unmapping_(data_, size_);
    munmap(data_, size_);
    data_ = nullptr;
    size_ = 0;
}

}  // namespace gravlet
