// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/c/handle.hpp"

#include <gravlet/gravlet.h>
#include <gravlet/options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace gravlet {
namespace {

/// What C and C++ have in one member each, from one to the other: C's integers become C++'s enums and truth values, or these
/// those.
template <class From, class To>
void copy_options(const From& from, To& to) {
    const auto assign = []<class A, class B>(const A& a, B& b) { b = static_cast<B>(a); };
    assign(from.backend, to.backend);
    assign(from.gpu_sharing, to.gpu_sharing);
    for (std::size_t axis = 0; axis < 3; ++axis) assign(from.boundary[axis], to.boundary[axis]);
    assign(from.theta, to.theta);
    assign(from.order, to.order);
    assign(from.G, to.G);
    assign(from.self_potential, to.self_potential);
    assign(from.softening_kernel, to.softening_kernel);
    assign(from.softening, to.softening);
    assign(from.periodic_method, to.periodic_method);
    assign(from.ewald_nodes, to.ewald_nodes);
    assign(from.ewald_order, to.ewald_order);
    assign(from.keep_tree, to.keep_tree);
    assign(from.keep_moved, to.keep_moved);
    assign(from.redistribute, to.redistribute);
    assign(from.group_size, to.group_size);
    assign(from.leaf_size, to.leaf_size);
    assign(from.virtual_root_boxes, to.virtual_root_boxes);
    assign(from.threads, to.threads);
    assign(from.error_samples, to.error_samples);
    assign(from.error_seed, to.error_seed);
    assign(from.criterion, to.criterion);
    assign(from.alpha, to.alpha);
    assign(from.tolerance, to.tolerance);
    assign(from.tolerance_of, to.tolerance_of);
    assign(from.tolerance_at, to.tolerance_at);
    assign(from.background, to.background);
    assign(from.tolerance_effort, to.tolerance_effort);
    assign(from.near_cells, to.near_cells);
    assign(from.precision, to.precision);
}

gravlet_options all_defaults() {
    const Options defaults;
    gravlet_options c{};
    c.size = sizeof c;
    copy_options(defaults, c);
    return c;
}

std::array<double, 3> to_array(const double (&values)[3]) { return {values[0], values[1], values[2]}; }

}  // namespace

/// Numbers that stand for nothing are found by validate(), where all ranks hear of them.
Options to_options(const gravlet_options& host) {
    if (host.size < sizeof host.size || host.size > sizeof host)
        throw Error(ErrorCode::invalid_option,
                    fmt::format("gravlet_options has size {}, and this gravlet's has {}: call gravlet_options_init() first",
                                host.size, sizeof host));
    gravlet_options c = all_defaults();
    std::memcpy(&c, &host, host.size);
    Options options;
    copy_options(c, options);
    if (c.has_domain != 0) options.domain = Box{to_array(c.domain_lower), to_array(c.domain_upper)};
    if (c.ewald_cache != nullptr) options.ewald_cache = c.ewald_cache;
    return options;
}

gravlet_options to_c(const Options& options, const char* ewald_cache) {
    gravlet_options c = all_defaults();
    copy_options(options, c);
    c.has_domain = options.domain ? 1 : 0;
    const Box domain = options.domain.value_or(Box{});
    std::ranges::copy(domain.lower, c.domain_lower);
    std::ranges::copy(domain.upper, c.domain_upper);
    c.ewald_cache = ewald_cache;
    return c;
}

}  // namespace gravlet

void gravlet_options_set_defaults(gravlet_options* options) {
    if (options == nullptr) return;
    gravlet_options all = gravlet::all_defaults();
    all.size = options->size;
    std::memcpy(options, &all, std::min(all.size, sizeof all));
}
