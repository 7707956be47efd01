// SPDX-License-Identifier: Apache-2.0
// The images of the periodic box that the walk leaves out (ewald/far_images.hpp), added once for all bodies:
//   1. Bodies are taken in small runs, and a run's mass moments brought to the nodes of its piece of the box, by the polynomials
//      that are 1 at one node and 0 at the others.
//   2. The nodes' masses of all ranks are added up, and act on each other through the kernel.
//   3. The potential's polynomial is expanded about each run and evaluated at its bodies, with its derivatives.
// Where there are softened points, the kernel is softened. If there are cells too, which are not softened to each other, all this
// is done once more with their masses, and a kernel that is the difference, for them alone. All of it at one level of exactness
// (solver/periodic/far_levels.hpp); solver/periodic/far_field.hpp has all levels.
#pragma once

#include "ewald/domain.hpp"
#include "physics/order.hpp"
#include "solver/data/bodies.hpp"
#include "solver/periodic/far_runs.hpp"
#include "solver/periodic/far_transform.hpp"

#include <gravlet/error.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gravlet {

/// Consecutive runs of one piece.
struct FarChunk {
    std::uint32_t begin, count, piece;
};

/// The chunks of a piece, first to end.
struct ChunkRange {
    std::uint32_t first, end;
};

/// Makes runs of consecutive target groups, a cluster of them at a time: one run if they are small together; else each group is
/// one, if it is small, or any 8 bodies of it that are, and all others are by themselves.
template <class Nodes>
struct RunMaker {
    const Group* groups;
    std::size_t count;
    const Source* bodies;
    FarGrid<Nodes> grid;
    std::size_t groups_a_run;

    /// Writes the runs of a cluster, or only counts them.
    GRAVLET_HD std::uint32_t runs(std::size_t cluster, FarRun* out) const {
        const std::size_t begin = cluster * groups_a_run;
        const std::size_t end = begin + groups_a_run < count ? begin + groups_a_run : count;
        Bounds all = groups[begin].box;
        std::uint32_t bodies_in_all = 0, made = 0;
        for (std::size_t g = begin; g < end; ++g) all = united(all, groups[g].box), bodies_in_all += groups[g].count;
        const auto make = [&](std::uint32_t first, std::uint32_t length) {
            if (out != nullptr) out[made] = {first, length};
            ++made;
        };
        if (is_small(all, grid) && in_one_piece(all, grid.pieces)) {
            make(groups[begin].begin, bodies_in_all);
            return made;
        }
        constexpr std::uint32_t few = 8;
        for (std::size_t g = begin; g < end; ++g) {
            const Group& group = groups[g];
            const std::uint32_t length = is_small(group.box, grid) ? group.count : few, last = group.begin + group.count;
            for (std::uint32_t i = group.begin, next = 0; i < last; i = next) {
                next = last - i < length ? last : i + length;
                if (is_small(bounds_of(bodies, i, next), grid)) {
                    make(i, next - i);
                } else {
                    for (; i < next; ++i) make(i, 1);
                }
            }
        }
        return made;
    }
};

/// Whether a chunk begins with run r: every chunk_runs runs, and where a piece does.
template <class Nodes>
GRAVLET_HD bool begins_chunk(const FarGrid<Nodes>& grid, const Source* bodies, const FarRun* runs, std::size_t r) {
    return r % Nodes::chunk_runs == 0 || grid.piece_of(bodies[runs[r].begin]) != grid.piece_of(bodies[runs[r - 1].begin]);
}

/// Adds a series to the sums of target i.
template <int D, class Nodes>
GRAVLET_HD void add_to_sums(const FarSeries<Nodes>& series, const Source& body, const FarGrid<Nodes>& grid, const SumArrays& sums,
                            std::size_t i) {
    const Jet<double, D> f = series.template at<D>(body, grid);
    double scale = 1.0;
    for (int d = 0; d <= D; ++d, scale *= grid.scale)
        for (std::size_t c = first_component(d); c < component_count(d); ++c) sums.of[c][i] += f.term[c] * scale;
}

template <class Exec, class Nodes>
class FarImages {
public:
    using Grid = FarGrid<Nodes>;

    explicit FarImages(const Exec& exec)
        : exec_(exec),
          transform_(exec),
          among_cells_(exec),
          masses_(exec.template buffer<double>()),
          potential_(exec.template buffer<double>()),
          partial_(exec.template buffer<double>()),
          first_(exec.template buffer<std::uint32_t>()),
          runs_(exec.template buffer<FarRun>()),
          chunks_(exec.template buffer<FarChunk>()),
          ranges_(exec.template buffer<ChunkRange>()),
          series_(exec.template buffer<FarSeries<Nodes>>()),
          sources_(exec.template buffer<FarSource<Nodes>>()) {}

    /// Local. Makes the kernels, unless they are those of the solve before: all that they depend on, in solver units, is here.
    void begin(const Frame& frame, Narrator& narrator) {
        const double softening = image_softening(frame.softening_kernel, frame.softening);
        const bool cells_apart = softening > 0.0 && frame.cells;
        if (frame.box == box_ && frame.pieces.side == pieces_.side && softening == softening_ && cells_apart == cells_apart_)
            return;
        box_ = {};  // until all of it is there
        const std::vector<double> kernel =
            far_kernel(frame.box, frame.pieces, nodes_of_piece, softening, exec_.threads, narrator);
        const KernelRows rows(frame.box, frame.pieces);
        transform_.set_kernel(frame.pieces, rows, kernel);
        if (cells_apart) {
            std::vector<double> among_cells = far_kernel(frame.box, frame.pieces, nodes_of_piece, 0.0, exec_.threads, narrator);
            for (std::size_t i = 0; i < kernel.size(); ++i) among_cells[i] -= kernel[i];
            among_cells_.set_kernel(frame.pieces, rows, among_cells);
        }
        const std::size_t nodes = Grid(frame.pieces).size;
        masses_.resize_discard(cells_apart ? 2 * nodes : nodes);
        potential_.resize_discard(nodes);
        box_ = frame.box;
        pieces_ = frame.pieces;
        softening_ = softening;
        cells_apart_ = cells_apart;
    }

    /// Local. Step 1: this rank's masses at the nodes; then, if need be, those of its cells. `exact`: masses as the caller gave
    /// them, of all bodies; or null.
    std::vector<double> collect(const Frame& frame, const Bodies<Exec>& b, const ExactSource* exact) {
        const Grid grid(frame.pieces);
        make_runs(grid, b);
        make_chunks(grid, b);
        bring_to_nodes(grid, b, exact, Among::all, masses_.data());
        if (cells_apart_) bring_to_nodes(grid, b, exact, Among::cells, masses_.data() + grid.size);
        std::vector<double> masses(masses_.size());
        copy_out(exec_, masses_.data(), masses.data(), masses.size());
        return masses;
    }

    /// Local. Steps 2 and 3: adds to the sums of this rank's bodies what the masses at the nodes, of all ranks, come to. Throws
    /// Error(internal), alike on every rank, if some rank's bodies were not in the piece that they should be in.
    void add(const std::vector<double>& masses, const Frame& frame, TargetSet<Exec>& b) {
        if (!std::ranges::all_of(masses, [](double mass) { return std::isfinite(mass); })) reject_strays();
        const Grid grid(frame.pieces);
        copy_in(exec_, masses.data(), masses_.data(), masses.size());
        transform_.apply(frame.pieces, masses_.data(), potential_.data());
        evaluate(grid, frame.derivatives, Among::all, b);
        if (!cells_apart_) return;
        among_cells_.apply(frame.pieces, masses_.data() + grid.size, potential_.data());
        evaluate(grid, frame.derivatives, Among::cells, b);
    }

    /// Local. Steps 2 and 3 for other targets.
    void add_elsewhere(const std::vector<double>& masses, const Frame& frame, TargetSet<Exec>& targets);

    // The parts of these; public because CUDA's extended lambdas may not be in private functions.

    void make_runs(const Grid& grid, const TargetSet<Exec>& b);

    /// Runs are in the order of the curve, in which each piece comes once.
    void make_chunks(const Grid& grid, const TargetSet<Exec>& b);

    /// Chunks have sums of their own, which are added in their order.
    void bring_to_nodes(const Grid& grid, const TargetSet<Exec>& b, const ExactSource* exact, Among which, double* masses);

    void evaluate(const Grid& grid, int derivatives, Among which, TargetSet<Exec>& b);

    /// Makes the series of some runs.
    void expand_about(const Grid& grid, const FarRun* runs, std::size_t count, const Source* bodies);

    template <int D>
    void add_series(const Grid& grid, Among which, TargetSet<Exec>& b);

    /// Adds to each body's sums those of a series about itself, which nobody else needs.
    template <int D>
    void add_one_by_one(const Grid& grid, Among which, TargetSet<Exec>& b);

private:
    [[noreturn]] static void reject_strays() {
        throw Error(ErrorCode::internal, "far_images: a body is not in its piece of the periodic box");
    }

    /// Target groups that may make one run: fewer, longer runs are less work, as long as they keep a device busy.
    static std::size_t groups_a_run(const TargetSet<Exec>& b) {
        return single || b.groups.size() < Exec::groups_for_long_runs ? 1 : 8;
    }

    Exec exec_;
    static constexpr FarNodes nodes_of_piece{Nodes::side, Nodes::steps};
    static constexpr bool single = Nodes::longest_run == 0.0;  ///< runs are of bodies at one place
    /// Chunks that are brought to the nodes at once, and runs whose series are made at once.
    static constexpr std::size_t together = Exec::far_batch * CoarseNodes::chunk_runs,
                                 chunks_together = together / Nodes::chunk_runs;

    // What the kernels are of.
    PeriodicBox box_;
    BoxPieces pieces_;
    double softening_ = 0.0;
    bool cells_apart_ = false;
    FarTransform<Exec, Nodes::side> transform_, among_cells_;
    typename Exec::template Buffer<double> masses_, potential_, partial_;
    typename Exec::template Buffer<std::uint32_t> first_;
    typename Exec::template Buffer<FarRun> runs_;
    typename Exec::template Buffer<FarChunk> chunks_;
    typename Exec::template Buffer<ChunkRange> ranges_;
    typename Exec::template Buffer<FarSeries<Nodes>> series_;
    typename Exec::template Buffer<FarSource<Nodes>> sources_;
};

template <class Exec, class Nodes>
void FarImages<Exec, Nodes>::evaluate(const Grid& grid, int derivatives, Among which, TargetSet<Exec>& b) {
    with_derivatives(derivatives, [&](auto d) {
        constexpr int D = decltype(d)::value;
        single ? add_one_by_one<D>(grid, which, b) : add_series<D>(grid, which, b);
    });
}

template <class Exec, class Nodes>
void FarImages<Exec, Nodes>::add_elsewhere(const std::vector<double>& masses, const Frame& frame, TargetSet<Exec>& targets) {
    const Grid grid(frame.pieces);
    make_runs(grid, targets);
    const Source* const bodies = targets.bodies.data();
    const FarRun* const runs = runs_.data();
    if (any_of(exec_, runs_.size(), [=] GRAVLET_HD(std::size_t r) { return !grid.is_in_range(centre_of(bodies, runs[r])); }))
        reject_strays();
    add(masses, frame, targets);
}

template <class Exec, class Nodes>
void FarImages<Exec, Nodes>::make_runs(const Grid& grid, const TargetSet<Exec>& b) {
    const RunMaker<Nodes> maker{b.groups.data(), b.groups.size(), b.bodies.data(), grid, groups_a_run(b)};
    const std::size_t clusters = (maker.count + maker.groups_a_run - 1) / maker.groups_a_run;
    first_.resize_discard(clusters);
    std::uint32_t* const first = first_.data();
    for_each(exec_, clusters, [=] GRAVLET_HD(std::size_t c) { first[c] = maker.runs(c, nullptr); });
    runs_.resize_discard(exclusive_scan(exec_, first, first, clusters));
    FarRun* const runs = runs_.data();
    for_each(exec_, clusters, [=] GRAVLET_HD(std::size_t c) { maker.runs(c, runs + first[c]); });
}

template <class Exec, class Nodes>
void FarImages<Exec, Nodes>::make_chunks(const Grid& grid, const TargetSet<Exec>& b) {
    const std::size_t count = runs_.size();
    first_.resize_discard(count);
    std::uint32_t* const first = first_.data();
    const FarRun* const runs = runs_.data();
    const Source* const bodies = b.bodies.data();
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t r) { first[r] = begins_chunk(grid, bodies, runs, r) ? 1 : 0; });
    const std::uint32_t chunk_count = exclusive_scan(exec_, first, first, count);
    chunks_.resize_discard(chunk_count);
    FarChunk* const chunks = chunks_.data();
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t r) {
        if (!begins_chunk(grid, bodies, runs, r)) return;
        std::uint32_t length = 1;
        while (r + length < count && !begins_chunk(grid, bodies, runs, r + length)) ++length;
        const int piece = grid.piece_of(bodies[runs[r].begin]);
        chunks[first[r]] = {static_cast<std::uint32_t>(r), length, static_cast<std::uint32_t>(piece)};
    });
    ranges_.resize_discard(grid.size / Grid::piece_nodes);
    ChunkRange* const ranges = ranges_.data();
    for_each(exec_, ranges_.size(), [=] GRAVLET_HD(std::size_t piece) { ranges[piece] = {0, 0}; });
    for_each(exec_, chunk_count, [=] GRAVLET_HD(std::size_t c) {
        const std::uint32_t piece = chunks[c].piece, number = static_cast<std::uint32_t>(c);
        if (c == 0 || chunks[c - 1].piece != piece) ranges[piece].first = number;
        if (c + 1 == chunk_count || chunks[c + 1].piece != piece) ranges[piece].end = number + 1;
    });
}

template <class Exec, class Nodes>
void FarImages<Exec, Nodes>::bring_to_nodes(const Grid& grid, const TargetSet<Exec>& b, const ExactSource* exact, Among which,
                                            double* masses) {
    constexpr std::size_t piece_nodes = Grid::piece_nodes, length = Nodes::chunk_runs, side = Nodes::side, rows = side * side;
    const std::size_t chunk_count = chunks_.size();
    partial_.resize_discard(chunk_count * piece_nodes);
    sources_.resize_discard(std::min(chunks_together, chunk_count) * length);
    double* const partial = partial_.data();
    FarSource<Nodes>* const sources = sources_.data();
    const Source* const bodies = b.bodies.data();
    const FarRun* const runs = runs_.data();
    for (std::size_t begin = 0; begin < chunk_count; begin += chunks_together) {
        const FarChunk* const chunks = chunks_.data() + begin;
        const std::size_t count = std::min(chunks_together, chunk_count - begin);
        for_each(exec_, count * length, [=] GRAVLET_HD(std::size_t i) {
            const FarChunk& chunk = chunks[i / length];
            if (i % length < chunk.count) sources[i] = far_source(bodies, exact, runs[chunk.begin + i % length], grid, which);
        });
        double* const out = partial + begin * piece_nodes;
        for_each(exec_, count * rows, [=] GRAVLET_HD(std::size_t i) {
            const FarSource<Nodes>* const from = sources + i / rows * length;
            const int j = static_cast<int>(i % side), k = static_cast<int>(i / side % side);
            double sums[side] = {};
            for (std::uint32_t r = 0; r < chunks[i / rows].count; ++r) add_to_row(from[r], j, k, sums);
            for (std::size_t n = 0; n < side; ++n) out[i * side + n] = sums[n];
        });
    }
    const ChunkRange* const ranges = ranges_.data();
    for_each(exec_, grid.size, [=] GRAVLET_HD(std::size_t node) {
        const ChunkRange range = ranges[node / piece_nodes];
        double sum = 0.0;
        for (std::size_t c = range.first; c < range.end; ++c) sum += partial[c * piece_nodes + node % piece_nodes];
        masses[node] = sum;
    });
}

template <class Exec, class Nodes>
void FarImages<Exec, Nodes>::expand_about(const Grid& grid, const FarRun* runs, std::size_t count, const Source* bodies) {
    const double* const nodes = potential_.data();
    FarSeries<Nodes>* const series = series_.data();
    for_each(exec_, count,
             [=] GRAVLET_HD(std::size_t r) { series[r] = expand(grid, nodes, centre_of(bodies, runs[r]), runs[r].count == 1); });
}

template <class Exec, class Nodes>
template <int D>
void FarImages<Exec, Nodes>::add_series(const Grid& grid, Among which, TargetSet<Exec>& b) {
    const std::size_t longest = groups_a_run(b) * b.group_size;
    const Source* const bodies = b.bodies.data();
    const SumArrays sums = b.sum_arrays();
    series_.resize_discard(std::min(together, runs_.size()));
    const FarSeries<Nodes>* const series = series_.data();
    for (std::size_t begin = 0; begin < runs_.size(); begin += together) {
        const FarRun* const runs = runs_.data() + begin;
        const std::size_t count = std::min(together, runs_.size() - begin);
        expand_about(grid, runs, count, bodies);
        for_each(exec_, count * longest, [=] GRAVLET_HD(std::size_t k) {
            const FarRun& run = runs[k / longest];
            const std::size_t i = run.begin + k % longest;
            if (k % longest < run.count && is_of(bodies[i], which)) add_to_sums<D>(series[k / longest], bodies[i], grid, sums, i);
        });
    }
}

template <class Exec, class Nodes>
template <int D>
void FarImages<Exec, Nodes>::add_one_by_one(const Grid& grid, Among which, TargetSet<Exec>& b) {
    const double* const nodes = potential_.data();
    const Source* const bodies = b.bodies.data();
    const SumArrays sums = b.sum_arrays();
    for_each(exec_, b.count, [=] GRAVLET_HD(std::size_t i) {
        if (!is_of(bodies[i], which)) return;
        add_to_sums<D>(expand(grid, nodes, Vector3{bodies[i].x, bodies[i].y, bodies[i].z}, true), bodies[i], grid, sums, i);
    });
}

}  // namespace gravlet
