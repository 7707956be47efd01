// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/allocations.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace gravlet::test {
namespace {

constinit Countdown countdown;  // operator new is called before main() is

void* allocate(std::size_t bytes) noexcept {
    return countdown.hit("operator new") ? nullptr : std::malloc(std::max<std::size_t>(bytes, 1));
}

void* allocate(std::size_t bytes, std::align_val_t alignment) noexcept {
    void* data = nullptr;
    if (countdown.hit("operator new") ||
        posix_memalign(&data, std::max(static_cast<std::size_t>(alignment), sizeof(void*)), bytes) != 0)
        return nullptr;
    return data;
}

void* or_throw(void* data) {
    if (data == nullptr) throw std::bad_alloc();
    return data;
}

}  // namespace

Countdown& allocations() { return countdown; }

}  // namespace gravlet::test

using gravlet::test::allocate;
using gravlet::test::or_throw;

void* operator new(std::size_t n) { return or_throw(allocate(n)); }
void* operator new[](std::size_t n) { return or_throw(allocate(n)); }
void* operator new(std::size_t n, std::align_val_t a) { return or_throw(allocate(n, a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return or_throw(allocate(n, a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, a); }
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, a); }

void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }

// -Wl,--wrap=aligned_alloc
extern "C" void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);
extern "C" void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
    return gravlet::test::countdown.hit("aligned_alloc") ? nullptr : __real_aligned_alloc(alignment, bytes);
}
