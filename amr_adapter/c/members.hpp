// SPDX-License-Identifier: Apache-2.0
// C's options and report beside those of C++, member by member. What C has not as one member is handed over as it has it.
#pragma once

#include <gravlet/gravlet.h>
#include <gravlet/options.hpp>
#include <gravlet/report.hpp>

namespace gravlet {

/// A box of C's: whether there is one, and its corners.
template <class Flag, class Corner>
struct BoxMembers {
    Flag& is_there;
    Corner &lower, &upper;
};
template <class Flag, class Corner>
BoxMembers(Flag&, Corner&, Corner&) -> BoxMembers<Flag, Corner>;

// [generated: members] scripts/generate, api/schema
template <class C, class Cpp, class F>
void for_each_option(C& c, Cpp& cpp, F f) {
    f("backend", c.backend, cpp.backend);
    f("gpu_sharing", c.gpu_sharing, cpp.gpu_sharing);
    f("boundary", c.boundary, cpp.boundary);
    f("theta", c.theta, cpp.theta);
    f("order", c.order, cpp.order);
    f("precision", c.precision, cpp.precision);
    f("criterion", c.criterion, cpp.criterion);
    f("alpha", c.alpha, cpp.alpha);
    f("tolerance", c.tolerance, cpp.tolerance);
    f("tolerance_of", c.tolerance_of, cpp.tolerance_of);
    f("tolerance_at", c.tolerance_at, cpp.tolerance_at);
    f("tolerance_effort", c.tolerance_effort, cpp.tolerance_effort);
    f("G", c.G, cpp.G);
    f("self_potential", c.self_potential, cpp.self_potential);
    f("near_cells", c.near_cells, cpp.near_cells);
    f("acting_classes", c.acting_classes, cpp.acting_classes);
    f("softening_kernel", c.softening_kernel, cpp.softening_kernel);
    f("softening", c.softening, cpp.softening);
    f("domain", BoxMembers{c.has_domain, c.domain_lower, c.domain_upper}, cpp.domain);
    f("background", c.background, cpp.background);
    f("wrap", c.wrap, cpp.wrap);
    f("shear", c.shear, cpp.shear);
    f("periodic_method", c.periodic_method, cpp.periodic_method);
    f("ewald_nodes", c.ewald_nodes, cpp.ewald_nodes);
    f("ewald_order", c.ewald_order, cpp.ewald_order);
    f("ewald_cache", c.ewald_cache, cpp.ewald_cache);
    f("keep_tree", c.keep_tree, cpp.keep_tree);
    f("keep_moved", c.keep_moved, cpp.keep_moved);
    f("redistribute", c.redistribute, cpp.redistribute);
    f("group_size", c.group_size, cpp.group_size);
    f("leaf_size", c.leaf_size, cpp.leaf_size);
    f("virtual_root_boxes", c.virtual_root_boxes, cpp.virtual_root_boxes);
    f("threads", c.threads, cpp.threads);
    f("error_samples", c.error_samples, cpp.error_samples);
    f("error_seed", c.error_seed, cpp.error_seed);
    f("active_bits", c.active_bits, cpp.active_bits);
    f("check_changed", c.check_changed, cpp.check_changed);
    f("uniform_mesh", c.uniform_mesh, cpp.uniform_mesh);
}

template <class F>
void for_each_member(gravlet_error_statistics& c, const ErrorStatistics& cpp, F f) {
    f(c.samples, cpp.samples);
    f(c.max, cpp.max);
    f(c.p9999, cpp.p9999);
    f(c.p999, cpp.p999);
    f(c.p99, cpp.p99);
    f(c.median, cpp.median);
    f(c.rms, cpp.rms);
    f(c.worst, cpp.worst);
}

template <class F>
void for_each_member(gravlet_tolerance_report& c, const ToleranceReport& cpp, F f) {
    f(c.asked, cpp.asked);
    f(c.reached, cpp.reached);
    f(c.kept, cpp.kept);
    f(c.floor, cpp.floor);
    f(c.walks, cpp.walks);
    f(c.solves_ago, cpp.solves_ago);
    f(c.criterion, cpp.criterion);
    f(c.theta, cpp.theta);
    f(c.alpha, cpp.alpha);
    f(c.order, cpp.order);
}

template <class F>
void for_each_member(gravlet_report& c, const Report& cpp, F f) {
    f(c.targets, cpp.targets);
    f(c.sources, cpp.sources);
    f(c.ranks, cpp.ranks);
    f(c.threads, cpp.threads);
    f(c.unchanged_ranks, cpp.unchanged_ranks);
    f(c.moved_ranks, cpp.moved_ranks);
    f(c.predicted_nodes, cpp.predicted_nodes);
    f(c.predicted_shift, cpp.predicted_shift);
    f(c.warnings, cpp.warnings);
    f(c.seconds, cpp.seconds);
    f(c.stages, cpp.stages);
    f(c.node_interactions, cpp.node_interactions);
    f(c.cell_interactions, cpp.cell_interactions);
    f(c.far_interactions, cpp.far_interactions);
    f(c.coincident_pairs, cpp.coincident_pairs);
    f(c.bytes_sent, cpp.bytes_sent);
    f(c.nodes_imported, cpp.nodes_imported);
    f(c.cells_imported, cpp.cells_imported);
    f(c.peak_bytes, cpp.peak_bytes);
    f(c.potential_error, cpp.potential_error);
    f(c.acceleration_error, cpp.acceleration_error);
    f(c.tidal_error, cpp.tidal_error);
    f(c.tolerance, cpp.tolerance);
    f(c.net_force, cpp.net_force);
    f(c.net_torque, cpp.net_torque);
    f(c.background, cpp.background);
    f(c.time_step, cpp.time_step);
}
// [/generated]

}  // namespace gravlet
