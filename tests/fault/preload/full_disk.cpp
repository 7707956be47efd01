// SPDX-License-Identifier: Apache-2.0
// For LD_PRELOAD: a disk that is full at one moment. Of the calls that write a file that is to become an output
// (hdf5/new_file.hpp), whoever makes them, number GRAVLET_FULL_AT fails with ENOSPC and says so on standard error.
#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

std::atomic<long> calls{0};

bool is_unfinished(int file) {
    std::array<char, 64> link{};
    std::array<char, PATH_MAX> path{};
    std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", file);
    return readlink(link.data(), path.data(), path.size() - 1) > 0 && std::strstr(path.data(), ".unfinished-") != nullptr;
}

bool is_full(const char* call) {
    const char* const at = std::getenv("GRAVLET_FULL_AT");
    if (at == nullptr || ++calls != std::atol(at)) return false;
    dprintf(STDERR_FILENO, "disk full: %s\n", call);
    errno = ENOSPC;
    return true;
}

template <class Function>
Function* system_s(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define GRAVLET_INSTEAD(type, name, parameters, arguments)                        \
    extern "C" type name parameters {                                             \
        static auto* const real = system_s<type parameters>(#name);               \
        return is_unfinished(file) && is_full(#name) ? type{-1} : real arguments; \
    }

GRAVLET_INSTEAD(ssize_t, write, (int file, const void* from, std::size_t n), (file, from, n))
GRAVLET_INSTEAD(ssize_t, pwrite, (int file, const void* from, std::size_t n, off_t at), (file, from, n, at))
GRAVLET_INSTEAD(ssize_t, pwrite64, (int file, const void* from, std::size_t n, off_t at), (file, from, n, at))
GRAVLET_INSTEAD(int, ftruncate, (int file, off_t size), (file, size))
GRAVLET_INSTEAD(int, ftruncate64, (int file, off_t size), (file, size))
GRAVLET_INSTEAD(int, fsync, (int file), (file))

extern "C" int posix_fallocate(int file, off_t from, off_t size) {
    static auto* const real = system_s<int(int, off_t, off_t)>("posix_fallocate");
    return is_unfinished(file) && is_full("posix_fallocate") ? ENOSPC : real(file, from, size);
}

extern "C" int close(int file) {
    static auto* const real = system_s<int(int)>("close");
    const bool counts = is_unfinished(file);
    const int closed = real(file);
    return counts && is_full("close") ? -1 : closed;
}
