// SPDX-License-Identifier: Apache-2.0
// The CPU backend as a value: `Cpu` is passed to the algorithms of solver/, which find their primitives (for_each, sort, scan,
// reduce, select) here by overloading (solver/execution.hpp lists all). They are Thrust's, on its OpenMP system where there is
// OpenMP, but for sorting.
#pragma once

#include "cpu/buffer.hpp"
#include "cpu/direct.hpp"
#include "physics/path_size.hpp"
#include "physics/team.hpp"
#include "physics/types.hpp"
#include "solver/criterion/order_costs.hpp"

#include <gravlet/options.hpp>

#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace gravlet {

class CpuWalk;
class CpuTransfer;
class CpuMessages;
class CpuFft;

struct Cpu {
    MemoryTally* tally;
    int threads;

    template <class T>
    using Buffer = HostBuffer<T>;
    using Walk = CpuWalk;
    using Transfer = CpuTransfer;
    using Messages = CpuMessages;
    using Fft = CpuFft;
    template <std::uint32_t>
    using Team = Alone;

    class Machine;

    struct Range {
        explicit Range(const char*) {}
    };
    /// Sets the thread count of the OpenMP code that is not ours (Thrust's), and restores the caller's.
    class [[nodiscard]] Scope {
    public:
        explicit Scope(const Cpu& cpu) : before_(omp_get_max_threads()) { omp_set_num_threads(cpu.threads); }
        ~Scope() { omp_set_num_threads(before_); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        int before_;
    };
    void synchronize() const {}

    // Numbers that suit a CPU; solver/execution.hpp says what they are.
    static constexpr bool strided = false;
    static constexpr std::size_t groups_together = 16;
    static constexpr node_index nodes_at_once = 1;
    static constexpr std::size_t least_scan_chunks = 1;
    static constexpr double exchange_speed = path_size(2e9, 2e6);
    [[nodiscard]] double walk_speed() const { return 1e9 * threads; }
    static constexpr const OrderCosts& order_costs = costs_on_cpus;
    static constexpr std::size_t groups_for_long_runs = 0;
    static constexpr std::size_t far_batch = path_size(256, 4);
    static std::size_t group_size(const Options& options) {
        return options.group_size > 0 ? static_cast<std::size_t>(options.group_size) : 32;
    }
    template <class Sparse>
    static std::size_t packed_group_size(const Options& options, std::size_t, const Sparse& sparse) {
        return sparse() ? (group_size(options) + 1) / 2 : group_size(options);
    }
    static constexpr std::size_t least_group_size = 1;
    static std::size_t few_bodies(bool cells) { return cells ? 512 : 1024; }
    [[nodiscard]] std::string name() const;
    [[nodiscard]] DirectKernel direct(const DirectLaw& law) const { return cpu_direct_kernel(threads, law); }

    template <class T>
    [[nodiscard]] Buffer<T> buffer() const {
        return Buffer<T>(*tally);
    }
};

/// What an execution value refers to.
class Cpu::Machine {
public:
    explicit Machine(int threads) : threads_(threads) {}
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    [[nodiscard]] Cpu exec() { return {&memory_, threads_}; }

private:
    MemoryTally memory_;
    int threads_;
};

/// Copies between host memory and the backend's.
template <class T>
void copy_in(const Cpu&, const T* host, T* backend, std::size_t n) {
    std::copy_n(host, n, backend);
}
template <class T>
void copy_out(const Cpu&, const T* backend, T* host, std::size_t n) {
    std::copy_n(backend, n, host);
}
template <class T>
T read(const Cpu&, const T* backend) {
    return *backend;
}

template <class F>
void for_each(const Cpu& cpu, std::size_t n, F f) {
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
    for (std::size_t i = 0; i < n; ++i) f(i);
}

/// Calls f(i, team) for each i.
template <std::uint32_t, class F>
void for_each_team(const Cpu& cpu, std::size_t n, F f) {
    for_each(cpu, n, [&](std::size_t i) { f(i, Alone()); });
}

/// A loop costs a CPU too little to make several levels in one go.
template <class Grow>
std::vector<node_index> first_levels(const Cpu&, const Grow&, node_index) {
    return {0, 1};
}

/// Calls f(i, team) for the nodes i of each level, once those of the level below are done.
template <std::uint32_t, class F>
void for_levels_up(const Cpu& cpu, const std::vector<node_index>& levels, F f) {
    for (std::size_t level = levels.size() - 1; level-- > 0;) {
        const node_index begin = levels[level];
        for_each(cpu, levels[level + 1] - begin, [&](std::size_t k) { f(begin + k, Alone()); });
    }
}

/// Calls f for the nodes of all levels, from the first level down.
template <std::uint32_t, class F>
void for_levels_down(const Cpu& cpu, const std::vector<node_index>& levels, F f) {
    for (std::size_t level = 0; level + 1 < levels.size(); ++level) {
        const node_index begin = levels[level];
        for_each(cpu, levels[level + 1] - begin, [&](std::size_t k) { f(begin + k, Alone()); });
    }
}

/// Whether condition(i) holds for any i in [0, n); it is asked of all.
template <class Condition>
bool any_of(const Cpu& cpu, std::size_t n, Condition condition) {
    bool found = false;
#pragma omp parallel for schedule(static) num_threads(cpu.threads) reduction(|| : found)
    for (std::size_t i = 0; i < n; ++i) found = condition(i) || found;
    return found;
}

/// Sorts 64-bit keys, equal ones by value (which ascend to begin with). The lowest `unused_bits` bits of all keys are 0. See
/// cpu/sort.cpp.
void sort_by_key(const Cpu& cpu, std::uint64_t* keys, std::uint32_t* values, std::size_t n, int unused_bits);

/// out[i] = sum of in[0..i); returns the sum of all. `in` and `out` may be the same.
template <class T>
T exclusive_scan(const Cpu& cpu, const T* in, T* out, std::size_t n) {
    if (n == 0) return T{};
    TallyAllocator<char> scratch(*cpu.tally);
    const T last = in[n - 1];
    thrust::exclusive_scan(thrust::device(scratch), in, in + n, out);
    return out[n - 1] + last;
}

/// op over transform(0), ..., transform(n - 1). `op` must not depend on the order (minimum, maximum, integer sums).
template <class T, class Transform, class Op>
T transform_reduce(const Cpu& cpu, std::size_t n, Transform transform, T init, Op op) {
    TallyAllocator<char> scratch(*cpu.tally);
    const thrust::counting_iterator<std::size_t> first(0);
    return thrust::transform_reduce(thrust::device(scratch), first, first + static_cast<std::ptrdiff_t>(n), transform, init, op);
}

/// Writes the indices i in [0, n) with keep(i) to `out`, in order; returns their number. Asks twice: Thrust's copy_if would
/// remember the answers, and where each goes, in arrays of n.
template <class I, class Keep>
std::size_t select_indices(const Cpu& cpu, std::size_t n, I* out, Keep keep) {
    const std::size_t parts = static_cast<std::size_t>(cpu.threads), length = (n + parts - 1) / parts;
    std::vector<std::size_t> begin(parts + 1);
    const auto for_kept = [&](std::size_t part, auto f) {
        for (std::size_t i = part * length; i < std::min(n, (part + 1) * length); ++i)
            if (keep(static_cast<I>(i))) f(static_cast<I>(i));
    };
    for_each(cpu, parts, [&](std::size_t part) {
        std::size_t count = 0;
        for_kept(part, [&](I) { ++count; });
        begin[part + 1] = count;
    });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for_each(cpu, parts, [&](std::size_t part) {
        I* to = out + begin[part];
        for_kept(part, [&](I i) { *to++ = i; });
    });
    return begin.back();
}

}  // namespace gravlet
