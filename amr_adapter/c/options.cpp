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

std::array<double, 3> to_array(const double (&values)[3]) { return {values[0], values[1], values[2]}; }

gravlet_options all_defaults() {
    const Options defaults;
    gravlet_options c{};
    c.size = sizeof c;
    c.backend = static_cast<std::int32_t>(defaults.backend);
    c.gpu_sharing = static_cast<std::int32_t>(defaults.gpu_sharing);
    std::ranges::transform(defaults.boundary, c.boundary, [](auto boundary) { return static_cast<std::int32_t>(boundary); });
    c.theta = defaults.theta;
    c.order = defaults.order;
    c.G = defaults.G;
    c.self_potential = defaults.self_potential ? 1 : 0;
    c.softening_kernel = static_cast<std::int32_t>(defaults.softening_kernel);
    c.softening = defaults.softening;
    c.periodic_method = static_cast<std::int32_t>(defaults.periodic_method);
    c.ewald_nodes = defaults.ewald_nodes;
    c.ewald_order = defaults.ewald_order;
    c.keep_tree = defaults.keep_tree ? 1 : 0;
    c.keep_moved = defaults.keep_moved ? 1 : 0;
    c.redistribute = defaults.redistribute ? 1 : 0;
    c.group_size = defaults.group_size;
    c.leaf_size = defaults.leaf_size;
    c.virtual_root_boxes = defaults.virtual_root_boxes;
    c.threads = defaults.threads;
    c.error_samples = defaults.error_samples;
    c.error_seed = defaults.error_seed;
    c.criterion = static_cast<std::int32_t>(defaults.criterion);
    c.alpha = defaults.alpha;
    c.tolerance = defaults.tolerance;
    c.tolerance_of = static_cast<std::int32_t>(defaults.tolerance_of);
    c.tolerance_at = static_cast<std::int32_t>(defaults.tolerance_at);
    return c;
}

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
    options.backend = static_cast<Backend>(c.backend);
    options.gpu_sharing = static_cast<GpuSharing>(c.gpu_sharing);
    for (std::size_t axis = 0; axis < 3; ++axis) options.boundary[axis] = static_cast<Boundary>(c.boundary[axis]);
    options.theta = c.theta;
    options.order = c.order;
    options.G = c.G;
    options.self_potential = c.self_potential != 0;
    options.softening_kernel = static_cast<SofteningKernel>(c.softening_kernel);
    options.softening = c.softening;
    if (c.has_domain != 0) options.domain = Box{to_array(c.domain_lower), to_array(c.domain_upper)};
    options.periodic_method = static_cast<PeriodicMethod>(c.periodic_method);
    options.ewald_nodes = c.ewald_nodes;
    options.ewald_order = c.ewald_order;
    if (c.ewald_cache != nullptr) options.ewald_cache = c.ewald_cache;
    options.keep_tree = c.keep_tree != 0;
    options.keep_moved = c.keep_moved != 0;
    options.redistribute = c.redistribute != 0;
    options.group_size = c.group_size;
    options.leaf_size = c.leaf_size;
    options.virtual_root_boxes = c.virtual_root_boxes;
    options.threads = c.threads;
    options.error_samples = c.error_samples;
    options.error_seed = c.error_seed;
    options.criterion = static_cast<Criterion>(c.criterion);
    options.alpha = c.alpha;
    options.tolerance = c.tolerance;
    options.tolerance_of = static_cast<ErrorOf>(c.tolerance_of);
    options.tolerance_at = static_cast<ErrorMeasure>(c.tolerance_at);
    return options;
}

}  // namespace gravlet

void gravlet_options_set_defaults(gravlet_options* options) {
    if (options == nullptr) return;
    const gravlet_options all = gravlet::all_defaults();
    const std::size_t size = options->size;
    std::memcpy(options, &all, std::min(size, sizeof all));
    if (size >= sizeof size) options->size = size;
}
