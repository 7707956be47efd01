// SPDX-License-Identifier: Apache-2.0
// Options, reports and their parts, member by member: for hosts that log, keep or compare them without naming any.
//
//     gravlet::for_each_member(solver.report(), [](const char* name, const auto& value) { log(name, value); });
#pragma once

#include <gravlet/options.hpp>
#include <gravlet/report.hpp>
#include <gravlet/standard.hpp>

#include <type_traits>

namespace gravlet {

template <class S>
struct Members;

// [generated: members] scripts/generate, api/schema
template <>
struct Members<Options> {
    template <class S, class F>
    static void visit(S& s, F& f) {
        f("backend", s.backend);
        f("gpu_sharing", s.gpu_sharing);
        f("boundary", s.boundary);
        f("theta", s.theta);
        f("order", s.order);
        f("precision", s.precision);
        f("criterion", s.criterion);
        f("alpha", s.alpha);
        f("tolerance", s.tolerance);
        f("tolerance_of", s.tolerance_of);
        f("tolerance_at", s.tolerance_at);
        f("tolerance_effort", s.tolerance_effort);
        f("G", s.G);
        f("self_potential", s.self_potential);
        f("near_cells", s.near_cells);
        f("acting_classes", s.acting_classes);
        f("softening_kernel", s.softening_kernel);
        f("softening", s.softening);
        f("domain", s.domain);
        f("background", s.background);
        f("wrap", s.wrap);
        f("shear", s.shear);
        f("periodic_method", s.periodic_method);
        f("ewald_nodes", s.ewald_nodes);
        f("ewald_order", s.ewald_order);
        f("ewald_cache", s.ewald_cache);
        f("keep_tree", s.keep_tree);
        f("keep_moved", s.keep_moved);
        f("redistribute", s.redistribute);
        f("group_size", s.group_size);
        f("leaf_size", s.leaf_size);
        f("virtual_root_boxes", s.virtual_root_boxes);
        f("threads", s.threads);
        f("error_samples", s.error_samples);
        f("error_seed", s.error_seed);
        f("active_bits", s.active_bits);
        f("check_changed", s.check_changed);
        f("uniform_mesh", s.uniform_mesh);
    }
};

template <>
struct Members<StageTime> {
    template <class S, class F>
    static void visit(S& s, F& f) {
        f("name", s.name);
        f("max", s.max);
        f("mean", s.mean);
    }
};

template <>
struct Members<ErrorStatistics> {
    template <class S, class F>
    static void visit(S& s, F& f) {
        f("samples", s.samples);
        f("max", s.max);
        f("p9999", s.p9999);
        f("p999", s.p999);
        f("p99", s.p99);
        f("median", s.median);
        f("rms", s.rms);
        f("worst", s.worst);
    }
};

template <>
struct Members<ToleranceReport> {
    template <class S, class F>
    static void visit(S& s, F& f) {
        f("asked", s.asked);
        f("reached", s.reached);
        f("kept", s.kept);
        f("floor", s.floor);
        f("walks", s.walks);
        f("solves_ago", s.solves_ago);
        f("criterion", s.criterion);
        f("theta", s.theta);
        f("alpha", s.alpha);
        f("order", s.order);
    }
};

template <>
struct Members<Report> {
    template <class S, class F>
    static void visit(S& s, F& f) {
        f("targets", s.targets);
        f("sources", s.sources);
        f("ranks", s.ranks);
        f("threads", s.threads);
        f("unchanged_ranks", s.unchanged_ranks);
        f("moved_ranks", s.moved_ranks);
        f("predicted_nodes", s.predicted_nodes);
        f("predicted_shift", s.predicted_shift);
        f("backend", s.backend);
        f("warnings", s.warnings);
        f("seconds", s.seconds);
        f("stages", s.stages);
        f("node_interactions", s.node_interactions);
        f("cell_interactions", s.cell_interactions);
        f("far_interactions", s.far_interactions);
        f("coincident_pairs", s.coincident_pairs);
        f("bytes_sent", s.bytes_sent);
        f("nodes_imported", s.nodes_imported);
        f("cells_imported", s.cells_imported);
        f("peak_bytes", s.peak_bytes);
        f("potential_error", s.potential_error);
        f("acceleration_error", s.acceleration_error);
        f("tidal_error", s.tidal_error);
        f("tolerance", s.tolerance);
        f("net_force", s.net_force);
        f("net_torque", s.net_torque);
        f("background", s.background);
        f("time_step", s.time_step);
    }
};
// [/generated]

/// Calls f(name, member) for each member of Options, Report, ErrorStatistics, ToleranceReport or StageTime, in their order.
template <class S, class F>
void for_each_member(S& s, F f) {
    Members<std::remove_const_t<S>>::visit(s, f);
}

/// Whether for_each_member() takes it.
template <class S>
concept HasMembers = requires {
    sizeof(Members<S>);
};

}  // namespace gravlet
