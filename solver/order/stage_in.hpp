// SPDX-License-Identifier: Apache-2.0
// The caller's bodies on the backend: looked at once, and as the solver counts them.
#pragma once

#include "solver/data/frame.hpp"
#include "solver/input/block_scan.hpp"
#include "solver/input/input.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

/// A body of the caller's, wherever its arrays are.
template <class Exec>
Body read_body(const Exec& exec, const GivenBodies& input, std::size_t i) {
    auto body = exec.template buffer<Body>();
    body.resize_discard(1);
    Body* const to = body.data();
    for_each(exec, 1, [=] GRAVLET_HD(std::size_t) { to[0] = input.body(i); });
    return read(exec, body.data());
}

/// The scan of all blocks, which are alike. `known`: what `scans` has of those that have not changed is right.
template <class Exec>
InputScan scan_blocks(const Exec& exec, const GivenBodies& input, const BodyLimits& limits, bool known,
                      typename Exec::template Buffer<InputScan>& scans) {
    const std::uint32_t cells = input.cells_per_block, parts = (cells + cells_of_a_part - 1) / cells_of_a_part;
    if (!known) scans.resize_discard(input.block_count * parts);
    InputScan* const of_part = scans.data();
    for_each_team<32>(exec, scans.size(), [=] GRAVLET_HD(std::size_t p, const typename Exec::template Team<32>& team) {
        if (known && !input.may_have_changed(input.block_begin[p / parts])) return;
        const std::uint32_t begin = static_cast<std::uint32_t>(p % parts) * cells_of_a_part, left = cells - begin;
        const BlockPart part{p / parts, begin, begin + (left < cells_of_a_part ? left : cells_of_a_part)};
        const InputScan scan = scan_part(team, input, part, limits);
        if (team.rank() == 0) of_part[p] = scan;
    });
    return transform_reduce(
        exec, scans.size(), [=] GRAVLET_HD(std::size_t p) { return of_part[p]; }, empty_scan(),
        [] GRAVLET_HD(const InputScan& a, const InputScan& b) { return merge(a, b); });
}

/// The scan of bodies from `first` on.
template <class Exec>
InputScan scan_each(const Exec& exec, const GivenBodies& input, std::size_t first, const BodyLimits& limits) {
    const std::size_t n = input.size() - first, length = scan_chunk(n, Exec::least_scan_chunks),
                      chunks = (n + length - 1) / length;
    return transform_reduce(
        exec, chunks,
        [=] GRAVLET_HD(std::size_t chunk) { return scan_bodies(input, first, chunk, chunks, length, Exec::strided, limits); },
        empty_scan(), [] GRAVLET_HD(const InputScan& a, const InputScan& b) { return merge(a, b); });
}

/// What a look at all bodies has found, from one solve to the next.
template <class Exec>
class InputLook {
public:
    explicit InputLook(const Exec& exec) : exec_(exec), blocks_(exec.template buffer<InputScan>()) {}

    /// Local. Looks at all bodies of an input in the backend's memory; or, if the last look is `known` to be right for those that
    /// have not changed, at the others.
    const InputScan& at(const Input& here, const BodyLimits& limits, bool known) {
        const std::size_t in_blocks = here.blocks != nullptr && here.cells_per_block != 0 ? here.cell_count : 0;
        if (!known || !here.changed.empty()) {
            all_ = in_blocks > 0 ? scan_blocks(exec_, here, limits, known, blocks_) : empty_scan();
            if (in_blocks < here.size()) all_ = merge(all_, scan_each(exec_, here, in_blocks, limits));
        }
        all_.inactive = here.as_given().any_inactive();
        all_.guards = here.as_given().guard_count > 0;
        all_.probes = here.probe_count() > 0;
        return all_;
    }

private:
    Exec exec_;
    typename Exec::template Buffer<InputScan> blocks_;  ///< scans of the parts of blocks
    InputScan all_ = empty_scan();
};

/// Local. Throws Error(invalid_input) naming the first probe that is not where `options` let it be. `here`: `input` in the
/// backend's memory.
template <class Exec>
void look_at_probes(const Exec& exec, const Input& input, const ProbePlaces& here, const Options& options) {
    const ProbeLimits limits(options);
    const std::size_t n = here.probe_count();
    const std::size_t bad = transform_reduce(
        exec, n, [=] GRAVLET_HD(std::size_t p) { return limits.hold(here.probe(p)) ? n : p; }, n,
        [] GRAVLET_HD(std::size_t a, std::size_t b) { return a < b ? a : b; });
    if (bad == n) return;
    auto place = exec.template buffer<Vector3>();
    place.resize_discard(1);
    Vector3* const to = place.data();
    for_each(exec, 1, [=] GRAVLET_HD(std::size_t) { to[0] = here.probe(bad); });
    reject_probe(input, bad, read(exec, place.data()), limits);
}

/// Local. `input` is as the caller gave it, and `here` becomes the backend's copy, all of whose bodies are looked at. Throws
/// Error(invalid_input) naming the first unacceptable one. `known`: `look` was at the bodies of the last solve, of which
/// `input.changed` says what has changed.
template <class Exec>
InputScan stage_in(const Exec& exec, typename Exec::Transfer& transfer, const Input& input, const Options& options, bool known,
                   InputLook<Exec>& look, Input& here) {
    here = transfer.bring_in(input, known);
    here.caller = &input;
    set_rules_of_points(here, options);
    here.acting_classes = static_cast<unsigned>(options.acting_classes);
    const BodyLimits limits(options);
    const InputScan scan = look.at(here, limits, known);
    if (scan.first_bad < here.size()) reject_body(input, scan.first_bad, read_body(exec, here, scan.first_bad), limits);
    if (here.probe_count() > 0) look_at_probes(exec, input, here, options);
    return scan;
}

/// An even density pulls nobody in a box that is periodic in all directions, and its potential, whose mean is 0, is 0. So where
/// cells fill the box, what all of them have alike is taken off: what a tree errs by is then relative to what differs, and cells
/// of unequal size, as points, do not pull where the density is even.
///
/// Collective, by stages local(f) and collective(f). The units of a solve of `here`, in the backend's memory and looked at, whose
/// cells then are without the background.
template <class Exec, class LocalStage, class CollectiveStage>
Frame agree_on_units(const Exec& exec, const Options& options, const InputScan& scan, Input& here, const LocalStage& local,
                     const CollectiveStage& collective) {
    Frame frame;
    InputScan left;
    const auto agree = [&](const InputScan& found) {
        collective([&](const Agreed& all) {
            frame = agree_on_frame(all, found, here.point_count > 0, here.derivatives, options, here.background);
        });
    };
    agree(scan);
    if (frame.background == 0.0) return frame;
    here.background = frame.background;
    local([&] { left = InputLook<Exec>(exec).at(here, BodyLimits(options), false); });
    agree(left);
    return frame;
}

/// A heavy body (solver/heavy/heavy.hpp) is none to a tree: it has no mass here.
GRAVLET_HD inline Source to_source(const Body& b, bool is_point, const Frame& frame) {
    const double mass = is_point && b.mass >= frame.heavy_mass ? 0.0 : b.mass * frame.per_mass_unit;
    const float rounded = static_cast<float>(mass);
    float softening = is_point ? static_cast<float>(b.softening * frame.per_unit) : 0.0f;
    if (is_point && softening < 2.0f * point_mark) softening = mark_of(mass, rounded);
    return {b.x * frame.per_unit, b.y * frame.per_unit, b.z * frame.per_unit, rounded, softening};
}

/// Shortest side of a cell, softening length of a point, in solver units. `source` is the body's.
GRAVLET_HD inline float size_of(const Body& b, const Source& source, bool is_point, const Frame& frame) {
    return is_point ? source.softening : static_cast<float>(fmin(b.dx, fmin(b.dy, b.dz)) * frame.per_unit);
}

}  // namespace gravlet
