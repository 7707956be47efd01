// SPDX-License-Identifier: Apache-2.0
#include "solver/redistribute/hand_over.hpp"

#include "solver/gather/gather_view.hpp"
#include "solver/input/input_checks.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <limits>

namespace gravlet {

std::size_t HandOver::Messages::count() {
    constexpr std::size_t most = std::numeric_limits<int>::max();
    std::size_t sum = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        const auto n = static_cast<std::size_t>(cells_and_points[2 * rank] + cells_and_points[2 * rank + 1]);
        if (sum + n > most)
            throw Error(ErrorCode::out_of_memory, fmt::format("redistribute: more than {} bodies on one rank", most));
        begin[rank] = static_cast<int>(sum);
        counts[rank] = static_cast<int>(n);
        sum += n;
    }
    return sum;
}

HandOver::HandOver(const Communicator& comm, int threads)
    : comm_(comm),
      threads_(threads),
      record_(sizeof(Record)),
      rows_{RecordType(component_count(0) * sizeof(double)), RecordType(component_count(1) * sizeof(double)),
            RecordType(component_count(2) * sizeof(double))},
      outgoing_(static_cast<std::size_t>(comm.size())),
      incoming_(static_cast<std::size_t>(comm.size())) {}

void HandOver::pack(const Input& from, const CurveSplit& split) {
    for (std::size_t rank = 0; rank < outgoing_.counts.size(); ++rank) {
        outgoing_.cells_and_points[2 * rank] = static_cast<long>(split.cells_for(rank));
        outgoing_.cells_and_points[2 * rank + 1] = static_cast<long>(split.points_for(rank));
    }
    const std::size_t n = outgoing_.count();
    sent_.resize(n * sizeof(Record));
    Record* const records = reinterpret_cast<Record*>(sent_.data());
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = split.order()[k];
        records[k] = {from.body(i), origin_of(from, i), from.active(i), from.class_of(i)};
        if (records[k].origin.rank == no_rank) records[k].origin.rank = comm_.rank();
    }
}

void HandOver::exchange(const Agreed& all, const std::vector<std::byte>& from, const Messages& going, std::vector<std::byte>& to,
                        const Messages& coming, const RecordType& type) {
    all.check(MPI_Alltoallv(from.data(), going.counts.data(), going.begin.data(), type.get(), to.data(), coming.counts.data(),
                            coming.begin.data(), type.get(), all.get()),
              "MPI_Alltoallv");
}

void HandOver::announce(const Agreed& all) {
    all.check(
        MPI_Alltoall(outgoing_.cells_and_points.data(), 2, MPI_LONG, incoming_.cells_and_points.data(), 2, MPI_LONG, all.get()),
        "MPI_Alltoall");
}

void HandOver::make_room() { received_.resize(incoming_.count() * sizeof(Record)); }

void HandOver::send(const Agreed& all) { exchange(all, sent_, outgoing_, received_, incoming_, record_); }

/// Calls f(record that came, body of the input) for all; cells are the first bodies.
template <class F>
void HandOver::for_received(F f) const {
    std::size_t cell = 0, point = cells_;
    for (std::size_t rank = 0; rank < incoming_.counts.size(); ++rank) {
        const std::size_t begin = static_cast<std::size_t>(incoming_.begin[rank]),
                          n = static_cast<std::size_t>(incoming_.counts[rank]),
                          cells = static_cast<std::size_t>(incoming_.cells_and_points[2 * rank]);
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::size_t k = 0; k < n; ++k) f(begin + k, k < cells ? cell + k : point + k - cells);
        cell += cells;
        point += n - cells;
    }
}

void HandOver::unpack(int derivatives) {
    const Record* const records = reinterpret_cast<const Record*>(received_.data());
    GatherShare share;
    for (std::size_t rank = 0; rank < incoming_.counts.size(); ++rank) {
        share.cells += static_cast<std::size_t>(incoming_.cells_and_points[2 * rank]);
        share.points += static_cast<std::size_t>(incoming_.cells_and_points[2 * rank + 1]);
    }
    cells_ = share.cells, points_ = share.points;
    share.three_sides = share.point_softening = true;
    for (std::size_t k = 0; k < component_count(derivatives); ++k) share.cell_results[k] = share.point_results[k] = true;
    bool cell_flags = false, point_flags = false, cell_classes = false, point_classes = false;
#pragma omp parallel for schedule(static) num_threads(threads_) \
    reduction(||                                                \
              : cell_flags, point_flags, cell_classes, point_classes)
    for (std::size_t k = 0; k < cells_ + points_; ++k) {
        const bool inactive = records[k].active == 0, cell = records[k].body.dx > 0.0;
        cell_flags = cell_flags || (inactive && cell);
        point_flags = point_flags || (inactive && !cell);
        cell_classes = cell_classes || (cell && records[k].source_class != class_of_cells);
        point_classes = point_classes || (!cell && records[k].source_class != class_of_points);
    }
    share.cell_active = cell_flags, share.point_active = point_flags;
    share.cell_class = cell_classes, share.point_class = point_classes;
    const GatherLayout layout({share});
    memory_.resize(layout.bytes());
    arrays_ = layout.all(memory_.data());
    origins_.resize(cells_ + points_);
    for_received([&](std::size_t k, std::size_t i) {
        const auto& [body, origin, active, source_class] = records[k];
        origins_[i] = origin;
        if (i < cells_) {
            arrays_.x[i] = body.x, arrays_.y[i] = body.y, arrays_.z[i] = body.z;
            arrays_.dx[i] = body.dx, arrays_.dy[i] = body.dy, arrays_.dz[i] = body.dz;
            arrays_.mass[i] = body.mass;
            if (arrays_.active != nullptr) arrays_.active[i] = static_cast<std::uint8_t>(active);
            if (arrays_.source_class != nullptr) arrays_.source_class[i] = static_cast<std::uint8_t>(source_class);
            return;
        }
        const std::size_t p = i - cells_;
        arrays_.point_x[p] = body.x, arrays_.point_y[p] = body.y, arrays_.point_z[p] = body.z;
        arrays_.point_mass[p] = body.mass, arrays_.point_softening[p] = body.softening;
        if (arrays_.point_active != nullptr) arrays_.point_active[p] = static_cast<std::uint8_t>(active);
        if (arrays_.point_class != nullptr) arrays_.point_class[p] = static_cast<std::uint8_t>(source_class);
    });
    input_ = GatherView(arrays_).input();
    input_.derivatives = derivatives;  // also where nothing has come
    input_.origins = origins_.data();
}

void HandOver::pack_results() {
    const std::size_t width = row();
    double* const rows = reinterpret_cast<double*>(received_.data());
    for_received([&](std::size_t k, std::size_t i) {
        const auto& results = i < cells_ ? arrays_.cell_results : arrays_.point_results;
        for (std::size_t r = 0; r < width; ++r) rows[width * k + r] = results[r][i < cells_ ? i : i - cells_];
    });
}

void HandOver::send_back(const Agreed& all) {
    exchange(all, received_, incoming_, sent_, outgoing_, rows_[static_cast<std::size_t>(input_.derivatives)]);
}

void HandOver::store(const Input& to, const CurveSplit& split) const {
    const std::size_t width = row(), n = split.order().size();
    const double* const rows = reinterpret_cast<const double*>(sent_.data());
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = split.order()[k];
        if (!to.active(i)) continue;
        to.store(to, i, [result = rows + width * k](std::size_t component) { return result[component]; });
    }
}

std::size_t HandOver::bytes_sent() const {
    std::size_t sum = 0;
    for (int rank = 0; rank < comm_.size(); ++rank) {
        if (rank == comm_.rank()) continue;
        const auto r = static_cast<std::size_t>(rank);
        sum += static_cast<std::size_t>(outgoing_.counts[r]) * sizeof(Record);
        sum += static_cast<std::size_t>(incoming_.counts[r]) * row() * sizeof(double);
    }
    return sum;
}

}  // namespace gravlet
