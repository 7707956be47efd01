// SPDX-License-Identifier: Apache-2.0
#include "solver/redistribute/curve_split.hpp"

#include "physics/keys.hpp"
#include "solver/order/stage_in.hpp"

#include <algorithm>

namespace gravlet {
namespace {

key_type key_of(const Input& input, std::size_t i, const Frame& frame, int levels) {
    return hilbert_key(frame.cube.place(to_source(input.body(i), input.is_point(i), frame)), levels);
}

}  // namespace

CurveSplit::CurveSplit(int ranks, int threads, bool keep)
    : threads_(static_cast<std::size_t>(threads)),
      keep_(keep),
      cuts_(static_cast<std::size_t>(ranks - 1)),
      counts_(7 * cuts_.size()),
      begin_(cuts_.size() + 2),
      cells_(cuts_.size() + 1) {}

CurveSplit::Run CurveSplit::run(std::size_t thread) const {
    const std::size_t n = sorted_.size(), begin = n * thread / threads_;
    return Run(sorted_).subspan(begin, n * (thread + 1) / threads_ - begin);
}

/// How many bodies of a run have smaller keys.
std::size_t CurveSplit::below(std::size_t thread, key_type key) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(run(thread), key, {}, &KeyedBody::key) - run(thread).begin());
}

bool CurveSplit::has_keys_of(const Input& input, const Frame& frame, int levels) const {
    bool same = is_split_ && sorted_.size() == input.size() && split_cells_ == input.cell_count && levels_ == levels;
    if (!same) return false;
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(threads_)) reduction(&& : same)
    for (std::size_t t = 0; t < threads_; ++t)
        same = same &&
               std::ranges::all_of(run(t), [&](const KeyedBody& b) { return b.key == key_of(input, b.index, frame, levels); });
    return same;
}

void CurveSplit::sort(const Input& input, const Frame& frame) {
    const int levels = levels_of_keys(frame);
    kept_ = keep_ && has_keys_of(input, frame, levels);
    if (kept_) return;
    is_split_ = false;
    levels_ = levels;
    sorted_.resize(input.size());
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(threads_))
    for (std::size_t t = 0; t < threads_; ++t) {
        const std::span part(sorted_.data() + (run(t).data() - sorted_.data()), run(t).size());
        for (KeyedBody& body : part) {
            const std::size_t i = static_cast<std::size_t>(&body - sorted_.data());
            body = {key_of(input, i, frame, levels), static_cast<cell_index>(i)};
        }
        std::ranges::sort(
            part, [](const KeyedBody& a, const KeyedBody& b) { return a.key != b.key ? a.key < b.key : a.index < b.index; });
    }
}

void CurveSplit::cut(const Agreed& all) {
    kept_ = all.all_reduce(kept_ ? 1 : 0, MPI_MIN) == 1;
    if (kept_) return;
    is_split_ = false;
    const long n = all.all_reduce(static_cast<long>(sorted_.size()), MPI_SUM);
    const long ranks = static_cast<long>(cuts_.size()) + 1;
    std::ranges::fill(cuts_, 0);
    for (int level = 0; level < levels_; ++level) {
        const int shift = 3 * (key_levels - 1 - level);
        for (std::size_t k = 0; k < counts_.size(); ++k) {
            const key_type key = cuts_[k / 7] + (key_type{k % 7 + 1} << shift);
            counts_[k] = 0;
            for (std::size_t t = 0; t < threads_; ++t) counts_[k] += static_cast<long>(below(t, key));
        }
        all.all_reduce(counts_.data(), static_cast<int>(counts_.size()), MPI_SUM);
        for (std::size_t c = 0; c < cuts_.size(); ++c) {
            const long rank = static_cast<long>(c) + 1, wanted = n / ranks * rank + n % ranks * rank / ranks;
            const auto octants = std::span(counts_).subspan(7 * c, 7);
            cuts_[c] += static_cast<key_type>(std::ranges::upper_bound(octants, wanted) - octants.begin()) << shift;
        }
    }
}

void CurveSplit::split(const Input& input) {
    if (kept_) return;
    order_.resize(sorted_.size());
    const auto end_of = [&](std::size_t thread, std::size_t rank) {
        return rank < cuts_.size() ? below(thread, cuts_[rank]) : run(thread).size();
    };
    const auto begin_of = [&](std::size_t thread, std::size_t rank) { return rank > 0 ? end_of(thread, rank - 1) : 0; };
    const std::size_t ranks = cells_.size();
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        begin_[rank + 1] = begin_[rank];
        for (std::size_t t = 0; t < threads_; ++t) begin_[rank + 1] += end_of(t, rank) - begin_of(t, rank);
    }
#pragma omp parallel for schedule(dynamic) num_threads(static_cast <int>(threads_))
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        cell_index* to = order_.data() + begin_[rank];
        const auto take = [&](bool points) {
            for (std::size_t t = 0; t < threads_; ++t) {
                const std::size_t begin = begin_of(t, rank);
                for (const KeyedBody& body : run(t).subspan(begin, end_of(t, rank) - begin))
                    if (input.is_point(body.index) == points) *to++ = body.index;
            }
        };
        take(false);
        cells_[rank] = static_cast<std::size_t>(to - order_.data()) - begin_[rank];
        if (input.point_count > 0) take(true);
    }
    split_cells_ = input.cell_count;
    is_split_ = true;
}

}  // namespace gravlet
