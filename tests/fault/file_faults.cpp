// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/file_faults.hpp"

#include <sys/types.h>

#include <cerrno>
#include <cstddef>

namespace gravlet::test {
namespace {

constinit Countdown countdown;

bool fails(const char* call) {
    if (!countdown.hit(call)) return false;
    errno = ENOSPC;
    return true;
}

}  // namespace

Countdown& file_calls() { return countdown; }

}  // namespace gravlet::test

using gravlet::test::fails;

#define GRAVLET_INSTEAD(type, name, parameters, arguments) \
    extern "C" type __real_##name parameters;              \
    extern "C" type __wrap_##name parameters;              \
    extern "C" type __wrap_##name parameters { return fails(#name) ? type{-1} : __real_##name arguments; }

GRAVLET_INSTEAD(ssize_t, write, (int file, const void* from, std::size_t n), (file, from, n))
GRAVLET_INSTEAD(ssize_t, pwrite, (int file, const void* from, std::size_t n, off_t at), (file, from, n, at))
GRAVLET_INSTEAD(int, ftruncate, (int file, off_t size), (file, size))
GRAVLET_INSTEAD(int, fsync, (int file), (file))
GRAVLET_INSTEAD(int, rename, (const char* from, const char* to), (from, to))

extern "C" int __real_posix_fallocate(int file, off_t from, off_t size);
extern "C" int __wrap_posix_fallocate(int file, off_t from, off_t size);
extern "C" int __wrap_posix_fallocate(int file, off_t from, off_t size) {
    return fails("posix_fallocate") ? ENOSPC : __real_posix_fallocate(file, from, size);
}

extern "C" int __real_close(int file);
extern "C" int __wrap_close(int file);
extern "C" int __wrap_close(int file) {
    const int closed = __real_close(file);
    return fails("close") ? -1 : closed;
}
