// SPDX-License-Identifier: Apache-2.0
// What switches a mutant on: the environment variable GRAVLET_MUTANT, its number. In copies of the sources alone
// (tests/mutation/mutants.py, scripts/mutate).
#pragma once

#include <cstdlib>

#if defined(__CUDACC__)
#define GRAVLET_MUTANT_HD __host__ __device__
#else
#define GRAVLET_MUTANT_HD
#endif

inline const int gravlet_chosen_mutant = [] {
    const char* const number = std::getenv("GRAVLET_MUTANT");
    return number != nullptr ? std::atoi(number) : 0;
}();

// Each file that nvcc compiles has a number of its own on the device, whose address it adds to this list. No CUDA call is made
// before a solver makes one: a context is the host's to have or not.
struct GravletDeviceMutant {
    inline static GravletDeviceMutant* first = nullptr;

    const void* symbol;
    GravletDeviceMutant* next;

    explicit GravletDeviceMutant(const void* address) : symbol(address), next(first) { first = this; }
};

#if defined(__CUDACC__)
static __device__ int gravlet_mutant_on_device = 0;
static GravletDeviceMutant gravlet_device_mutant_of_file(&gravlet_mutant_on_device);
#endif

GRAVLET_MUTANT_HD constexpr bool gravlet_mutant(int number) {
    if (__builtin_is_constant_evaluated()) return false;
#if defined(__CUDA_ARCH__)
    return gravlet_mutant_on_device == number;
#else
    return gravlet_chosen_mutant == number;
#endif
}

#if defined(__has_include)
#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>

/// For the device that is current. A file without kernels has no such number there, which is no error.
inline void gravlet_set_mutant_on_device() {
    for (const GravletDeviceMutant* one = GravletDeviceMutant::first; one != nullptr; one = one->next)
        if (cudaMemcpyToSymbol(one->symbol, &gravlet_chosen_mutant, sizeof(int)) != cudaSuccess) cudaGetLastError();
}
#endif
#endif
