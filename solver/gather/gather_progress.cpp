// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/gather_progress.hpp"

#include <atomic>
#include <thread>

namespace gravlet {

using Word = std::atomic_ref<std::uint64_t>;
static_assert(Word::is_always_lock_free);  // and so between processes, too

std::uint64_t& GatherProgress::word(int member) const noexcept {
    return *reinterpret_cast<std::uint64_t*>(memory_ + static_cast<std::size_t>(member) * line);
}

void GatherProgress::wrote(int member, std::size_t cells) const noexcept {
    Word(word(member)).store(std::uint64_t{turn_} << 32 | cells, std::memory_order_release);
}

std::size_t GatherProgress::written(int member) const noexcept {
    const std::uint64_t now = Word(word(member)).load(std::memory_order_acquire);
    return now >> 32 == turn_ ? now & 0xffffffffu : 0;
}

bool SendAhead::some() {
    bool all = true;
    for (std::size_t m = 0; m < sent_.size(); ++m) {
        const std::size_t written = progress_.written(static_cast<int>(m)), cells = begin_[m + 1] - begin_[m];
        if (written > sent_[m]) engine_.bring_ahead(begin_[m] + sent_[m], written - sent_[m]);
        sent_[m] = written;
        all = all && written == cells;
    }
    return all;
}

void SendAhead::all() {
    while (!some()) std::this_thread::yield();
}

}  // namespace gravlet
