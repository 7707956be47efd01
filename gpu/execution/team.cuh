// SPDX-License-Identifier: Apache-2.0
// A team (physics/team.hpp) of a warp's neighbouring lanes. All of them must come to each of its calls.
#pragma once

#include "physics/team.hpp"

namespace gravlet {

template <std::uint32_t Size>
class GpuTeam {
    static_assert(Size == 8 || Size == 32);

public:
    static constexpr std::uint32_t size = Size;
    [[nodiscard]] GRAVLET_HD static std::uint32_t rank() {
#if defined(__CUDA_ARCH__)
        return threadIdx.x % Size;
#else
        return 0;
#endif
    }

    GRAVLET_HD static void join() {
#if defined(__CUDA_ARCH__)
        __syncwarp(lanes());
#endif
    }

    [[nodiscard]] GRAVLET_HD static std::uint32_t count_before([[maybe_unused]] bool yes, std::uint32_t& all) {
#if defined(__CUDA_ARCH__)
        const unsigned who = __ballot_sync(lanes(), yes) & lanes();
        all = static_cast<std::uint32_t>(__popc(who));
        return static_cast<std::uint32_t>(__popc(who & ((1u << threadIdx.x % 32) - 1u)));
#else
        return all = 0;
#endif
    }

    [[nodiscard]] GRAVLET_HD static std::uint32_t sum_before([[maybe_unused]] std::uint32_t value) {
#if defined(__CUDA_ARCH__)
        std::uint32_t upto = value;
        for (std::uint32_t distance = 1; distance < Size; distance *= 2) {
            const std::uint32_t other = __shfl_up_sync(lanes(), upto, distance, Size);
            upto += rank() >= distance ? other : 0;
        }
        return upto - value;
#else
        return 0;
#endif
    }

    template <class T>
    [[nodiscard]] GRAVLET_HD static T sum(T value) {
        return combined(value, [](T a, T b) { return a + b; });
    }
    template <class T>
    [[nodiscard]] GRAVLET_HD static T least(T value) {
        return combined(value, [](T a, T b) { return a < b ? a : b; });
    }
    template <class T>
    [[nodiscard]] GRAVLET_HD static T most(T value) {
        return combined(value, [](T a, T b) { return a > b ? a : b; });
    }
    template <class T>
    [[nodiscard]] GRAVLET_HD static T sum_across(T value, std::uint32_t width) {
        const auto add = [](T a, T b) { return a + b; };
        return combined(value, add, width);
    }

private:
    [[nodiscard]] GRAVLET_HD static unsigned lanes() {
#if defined(__CUDA_ARCH__)
        return Size == 32 ? ~0u : ((1u << Size % 32) - 1u) << threadIdx.x % 32 / Size * Size;
#else
        return 0;
#endif
    }
    /// Combines the lanes' values in an order that is the same every time, and gives all lanes the same bits.
    template <class T, class Op>
    [[nodiscard]] GRAVLET_HD static T combined(T value, [[maybe_unused]] Op op,
                                               [[maybe_unused]] std::uint32_t least_distance = 1) {
#if defined(__CUDA_ARCH__)
        for (std::uint32_t distance = Size / 2; distance >= least_distance; distance /= 2)
            value = op(value, __shfl_xor_sync(lanes(), value, distance));
#endif
        return value;
    }
};

}  // namespace gravlet
