// SPDX-License-Identifier: Apache-2.0
#include "gpu/transfer/few_results.hpp"

#include "gpu/execution/loops.cuh"

#include <cstring>
#include <type_traits>

namespace gravlet {
namespace {

/// Flags of which less than one in so many are set are few.
constexpr std::size_t few_among = 4;

/// The numbers of the flags that are set, as long as they are few; true if they are.
bool list_few(std::span<const std::uint8_t> flags, std::vector<cell_index>& list) {
    list.clear();
    const std::size_t n = flags.size(), most = n / few_among, whole = n - n % sizeof(std::uint64_t);
    const auto look = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (flags[i] != 0) list.push_back(static_cast<cell_index>(i));
    };
    for (std::size_t begin = 0; begin < whole && list.size() <= most; begin += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, flags.data() + begin, sizeof word);
        if (word != 0) look(begin, begin + sizeof word);
    }
    look(whole, n);
    return list.size() <= most;
}

/// Gathers numbers from their places. No lambda: nvcc's wrapper of those allocates.
template <class Real>
struct Gather {
    const Real* from;
    const cell_index* places;
    Real* to;

    GRAVLET_HD void operator()(std::size_t k) const { to[k] = from[places[k]]; }
};

}  // namespace

void FewResults::take(std::span<const std::uint8_t> active, PinnedCopies& copies) {
    few_ = !active.empty() && list_few(active, active_);
    if (!few_) return;
    places_.resize_discard(active_.size()), gathered_.resize_discard(active_.size());
    copy_in(gpu_, active_.data(), places_.data(), active_.size());
    copies.reserve(active_.size());
}

void FewResults::download(InputPointer there, const ResultSpan& array, PinnedCopies& copies) {
    with_type(there, [&](const auto* results) {
        using Real = std::remove_cv_t<std::remove_pointer_t<decltype(results)>>;
        Real* const to = reinterpret_cast<Real*>(gathered_.data());
        const cell_index* const places = places_.data();
        for_each(gpu_, active_.size(), Gather<Real>{results, places, to});
        copies.download(static_cast<const Real*>(to), active_.size(),
                        [&](std::size_t begin, std::size_t count, const Real* buffer) {
                            for (std::size_t i = 0; i < count; ++i) array.set(active_[begin + i], buffer[i]);
                        });
    });
}

}  // namespace gravlet
