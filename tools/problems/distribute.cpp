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

namespace gravlet {
namespace {

constexpr std::size_t samples_per_rank = 512;
constexpr int bits_per_axis = 21;

struct Record {
    double x, y, z, mass;
};

// Everyone's values on every rank, in rank order.
template <class T>
std::vector<T> gather_all(MPI_Comm comm, int ranks, const std::vector<T>& mine) {
    const int bytes = static_cast<int>(mine.size() * sizeof(T));
    std::vector<int> counts, offsets;
    agree(comm, [&] {
        counts.resize(static_cast<std::size_t>(ranks));
        offsets.resize(counts.size());
    });
    mpi_check(MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, comm), "MPI_Allgather");
    std::exclusive_scan(counts.begin(), counts.end(), offsets.begin(), 0);
    std::vector<T> all;
    agree(comm, [&] { all.resize(static_cast<std::size_t>(offsets.back() + counts.back()) / sizeof(T)); });
    mpi_check(MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), offsets.data(), MPI_BYTE, comm),
              "MPI_Allgatherv");
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

// The first keys of pieces 1, 2, ...
std::vector<std::uint64_t> choose_splitters(MPI_Comm comm, int ranks, const std::vector<std::uint64_t>& keys) {
    std::vector<std::uint64_t> sorted;
    agree(comm, [&] { sorted = keys; });
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint64_t> sample = sample_all(comm, ranks, std::span<const std::uint64_t>(sorted));
    std::sort(sample.begin(), sample.end());
    std::vector<std::uint64_t> splitters;
    agree(comm, [&] {
        for (int r = 1; r < ranks; ++r)
            splitters.push_back(
                sample.empty() ? 0 : sample[sample.size() * static_cast<std::size_t>(r) / static_cast<std::size_t>(ranks)]);
    });
    return splitters;
}

std::vector<Record> exchange(MPI_Comm comm, const std::vector<Record>& out, const std::vector<int>& send_counts) {
    const std::size_t ranks = send_counts.size();
    std::vector<int> receive_counts, send_offsets, receive_offsets;
    agree(comm, [&] {
        for (auto* array : {&receive_counts, &send_offsets, &receive_offsets}) array->resize(ranks);
    });
    mpi_check(MPI_Alltoall(send_counts.data(), 1, MPI_INT, receive_counts.data(), 1, MPI_INT, comm), "MPI_Alltoall");
    std::exclusive_scan(send_counts.begin(), send_counts.end(), send_offsets.begin(), 0);
    std::exclusive_scan(receive_counts.begin(), receive_counts.end(), receive_offsets.begin(), 0);
    std::vector<Record> in;
    agree(comm, [&] { in.resize(static_cast<std::size_t>(receive_offsets.back() + receive_counts.back())); });
    const RecordType type(sizeof(Record));
    mpi_check(MPI_Alltoallv(out.data(), send_counts.data(), send_offsets.data(), type.get(), in.data(), receive_counts.data(),
                            receive_offsets.data(), type.get(), comm),
              "MPI_Alltoallv");
    return in;
}

}  // namespace

void distribute_along_curve(MPI_Comm comm, PointSet& points) {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    if (ranks == 1) return;

    const std::array<Axis, 3> axes{measure(comm, ranks, points.x), measure(comm, ranks, points.y),
                                   measure(comm, ranks, points.z)};
    std::vector<std::uint64_t> keys;
    agree(comm, [&] { keys.resize(points.size()); });
    for (std::size_t i = 0; i < points.size(); ++i)
        keys[i] = morton(axes[0].cell(points.x[i]), axes[1].cell(points.y[i]), axes[2].cell(points.z[i]));
    const std::vector<std::uint64_t> splitters = choose_splitters(comm, ranks, keys);

    const auto piece_of = [&](std::uint64_t key) {
        return static_cast<std::size_t>(std::upper_bound(splitters.begin(), splitters.end(), key) - splitters.begin());
    };
    std::vector<int> counts;
    std::vector<std::size_t> next;
    std::vector<Record> out;
    agree(comm, [&] {
        counts.assign(static_cast<std::size_t>(ranks), 0);
        next.resize(counts.size());
        out.resize(points.size());
    });
    for (const std::uint64_t key : keys) ++counts[piece_of(key)];
    std::exclusive_scan(counts.begin(), counts.end(), next.begin(), std::size_t{0});
    for (std::size_t i = 0; i < points.size(); ++i)
        out[next[piece_of(keys[i])]++] = {points.x[i], points.y[i], points.z[i], points.mass[i]};

    const std::vector<Record> in = exchange(comm, out, counts);
    agree(comm, [&] {
        for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) array->resize(in.size());
    });
    for (std::size_t i = 0; i < in.size(); ++i) {
        points.x[i] = in[i].x;
        points.y[i] = in[i].y;
        points.z[i] = in[i].z;
        points.mass[i] = in[i].mass;
    }
}

}  // namespace gravlet
