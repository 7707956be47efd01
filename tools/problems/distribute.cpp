// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/distribute.hpp"

#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace gravlet {
namespace {

constexpr std::size_t samples_per_rank = 512;
constexpr int bits_per_axis = 21;

// Everyone's values on every rank, in rank order.
template <class T>
std::vector<T> gather_all(MPI_Comm comm, int ranks, const std::vector<T>& mine) {
    const int bytes = static_cast<int>(mine.size() * sizeof(T));
    std::vector<int> counts, offsets;
    agree(comm, [&] {
        counts.resize(static_cast<std::size_t>(ranks));
        offsets.resize(counts.size());
    });
    communicate(comm, [&](const Agreed& all) {
        all.check(MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, all.get()), "MPI_Allgather");
    });
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
    std::vector<T> all;
    agree(comm, [&] { all.resize(static_cast<std::size_t>(offsets.back() + counts.back()) / sizeof(T)); });
    communicate(comm, [&](const Agreed& on) {
        on.check(MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, on.get()),
                 "MPI_Allgatherv");
    });
    return all;
}

// Up to samples_per_rank evenly spaced elements of each rank.
template <class T>
std::vector<T> sample_all(MPI_Comm comm, int ranks, std::span<const T> values) {
    const std::size_t count = std::min(values.size(), samples_per_rank);
    std::vector<T> sample;
    agree(comm, [&] { sample.resize(count); });
    for (std::size_t i = 0; i < count; ++i) sample[i] = values[(2 * i + 1) * values.size() / (2 * count)];
    return gather_all(comm, ranks, sample);
}

// An axis squeezed into 0..2^21.
struct Axis {
    double middle = 0.0;
    double half_width = 1.0;

    [[nodiscard]] std::uint64_t cell(double coordinate) const {
        const double u = (coordinate - middle) / half_width;
        const double squeezed = std::isfinite(u) ? 0.5 + 0.5 * u / (1.0 + std::abs(u)) : 0.5;
        constexpr double cells = 1 << bits_per_axis;
        return static_cast<std::uint64_t>(std::clamp(squeezed * cells, 0.0, cells - 1.0));
    }
};

Axis measure(MPI_Comm comm, int ranks, std::span<const double> coordinates) {
    std::vector<double> sample = sample_all(comm, ranks, coordinates);
    std::erase_if(sample, [](double value) { return !std::isfinite(value); });
    if (sample.empty()) return {};
    std::sort(sample.begin(), sample.end());
    const double width = sample[sample.size() * 3 / 4] - sample[sample.size() / 4];
    return {sample[sample.size() / 2], width > 0.0 ? 0.5 * width : 1.0};
}

std::uint64_t morton(std::uint64_t i, std::uint64_t j, std::uint64_t k) {
    std::uint64_t key = 0;
    for (int bit = 0; bit < bits_per_axis; ++bit)
        key |= ((i >> bit & 1U) | (j >> bit & 1U) << 1U | (k >> bit & 1U) << 2U) << (3 * bit);
    return key;
}

struct Sample {
    std::uint64_t key;
    double work;  ///< work of all points that it stands for
};

// This rank's points in samples_per_rank runs of equal work along the curve, each by the key in its middle.
std::vector<Sample> sample_of(const std::vector<std::uint64_t>& keys, const std::vector<double>& work) {
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return keys[i]; });
    std::vector<double> until(keys.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        until[k] = (k > 0 ? until[k - 1] : 0.0) + (work.empty() ? 1.0 : work[order[k]]);
    const std::size_t count = std::min(keys.size(), samples_per_rank);
    std::vector<Sample> sample;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = until.back() / static_cast<double>(count), middle = (static_cast<double>(i) + 0.5) * share;
        const auto at = std::min(std::upper_bound(until.begin(), until.end(), middle), until.end() - 1) - until.begin();
        sample.push_back({keys[order[static_cast<std::size_t>(at)]], share});
    }
    return sample;
}

// The first keys of runs 1, 2, ...
std::vector<std::uint64_t> choose_splitters(MPI_Comm comm, int ranks, const std::vector<std::uint64_t>& keys,
                                            const std::vector<double>& work) {
    std::vector<Sample> mine;
    agree(comm, [&] { mine = sample_of(keys, work); });
    std::vector<Sample> all = gather_all(comm, ranks, mine);
    std::ranges::sort(all, {}, &Sample::key);
    std::vector<std::uint64_t> splitters;
    agree(comm, [&] {
        const double whole =
            std::accumulate(all.begin(), all.end(), 0.0, [](double sum, const Sample& s) { return sum + s.work; });
        double before = 0.0;
        std::size_t k = 0;
        for (int r = 1; r < ranks; ++r) {
            while (k + 1 < all.size() && before + all[k].work <= whole * r / ranks * (1.0 + 1e-12)) before += all[k++].work;
            splitters.push_back(all.empty() ? 0 : all[k].key);
        }
    });
    return splitters;
}

// What this rank sends to each rank, and gets from it.
struct Routes {
    std::vector<int> send_counts, receive_counts, send_offsets, receive_offsets;
};

Routes make_routes(MPI_Comm comm, int ranks, const std::vector<std::uint64_t>& owners) {
    Routes r;
    agree(comm, [&] {
        for (auto* array : {&r.send_counts, &r.receive_counts, &r.send_offsets, &r.receive_offsets})
            array->resize(static_cast<std::size_t>(ranks));
    });
    for (const std::uint64_t owner : owners) ++r.send_counts[owner];
    communicate(comm, [&](const Agreed& all) {
        all.check(MPI_Alltoall(r.send_counts.data(), 1, MPI_INT, r.receive_counts.data(), 1, MPI_INT, all.get()), "MPI_Alltoall");
    });
    std::exclusive_scan(r.send_counts.begin(), r.send_counts.end(), r.send_offsets.begin(), 0);
    std::exclusive_scan(r.receive_counts.begin(), r.receive_counts.end(), r.receive_offsets.begin(), 0);
    return r;
}

// The values of this rank's points go to `places` of what is sent; those of the points that come take their place.
template <class T>
void exchange(MPI_Comm comm, const Routes& routes, const std::vector<std::uint64_t>& places, MPI_Datatype type,
              std::vector<T>& values) {
    std::vector<T> out, in;
    agree(comm, [&] {
        out.resize(places.size());
        in.resize(static_cast<std::size_t>(routes.receive_offsets.back()) +
                  static_cast<std::size_t>(routes.receive_counts.back()));
    });
    for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] = values[i];
    communicate(comm, [&](const Agreed& all) {
        all.check(MPI_Alltoallv(out.data(), routes.send_counts.data(), routes.send_offsets.data(), type, in.data(),
                                routes.receive_counts.data(), routes.receive_offsets.data(), type, all.get()),
                  "MPI_Alltoallv");
    });
    values = std::move(in);
}

}  // namespace

void distribute_along_curve(MPI_Comm comm, PointSet& points, const std::vector<double>& work) {
    const int ranks = size_of(comm);
    if (ranks == 1) return;

    const std::array<Axis, 3> axes{measure(comm, ranks, points.x), measure(comm, ranks, points.y),
                                   measure(comm, ranks, points.z)};
    std::vector<std::uint64_t> keys;
    agree(comm, [&] { keys.resize(points.size()); });
    for (std::size_t i = 0; i < points.size(); ++i)
        keys[i] = morton(axes[0].cell(points.x[i]), axes[1].cell(points.y[i]), axes[2].cell(points.z[i]));
    const std::vector<std::uint64_t> splitters = choose_splitters(comm, ranks, keys, work);

    for (std::uint64_t& key : keys)
        key = static_cast<std::uint64_t>(std::upper_bound(splitters.begin(), splitters.end(), key) - splitters.begin());
    send_to_owners(comm, keys, points);
}

void send_to_owners(MPI_Comm comm, std::vector<std::uint64_t>& owners, PointSet& points) {
    // A point's owner gives way to its place in what is sent.
    const Routes routes = make_routes(comm, size_of(comm), owners);
    std::vector<int> next;
    agree(comm, [&] { next = routes.send_offsets; });
    for (std::uint64_t& owner : owners) owner = static_cast<std::uint64_t>(next[owner]++);

    // What points of some rank bring, those of all do; a rank without points does not know.
    std::array<int, 3> brought{points.softening.empty() ? 0 : 1, points.velocity[0].empty() ? 0 : 1, points.id.empty() ? 0 : 1};
    communicate(comm, [&](const Agreed& all) { all.all_reduce(brought.data(), 3, MPI_MAX); });
    const auto [lengths, velocities, ids] = brought;
    for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) exchange(comm, routes, owners, MPI_DOUBLE, *array);
    if (lengths == 1) exchange(comm, routes, owners, MPI_DOUBLE, points.softening);
    if (velocities == 1)
        for (auto& array : points.velocity) exchange(comm, routes, owners, MPI_DOUBLE, array);
    if (ids == 1) exchange(comm, routes, owners, MPI_UINT64_T, points.id);
}

}  // namespace gravlet
