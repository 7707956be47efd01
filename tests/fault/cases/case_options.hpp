// SPDX-License-Identifier: Apache-2.0
// Options of the solves that faults are tried on.
#pragma once

#include "tests/api/body_arrays.hpp"

#include <gravlet/options.hpp>

#include <cstdlib>

namespace gravlet::test {

inline const Box unit_box{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};  // of the points, which lie about the mesh

/// With a criterion, so that there is a tree: few bodies on a GPU would act one by one.
inline Options base() {
    return {.backend = std::getenv("GRAVLET_TEST_GPU") != nullptr ? Backend::gpu : Backend::cpu,
            .criterion = Criterion::opening,
            .threads = world_size() == 1 ? 2 : 1};
}

inline Options with(void (*change)(Options& options)) {
    Options options = base();
    change(options);
    return options;
}

inline Options periodic() {
    return with([](Options& o) { o.boundary.fill(Boundary::periodic), o.domain = unit_box; });
}
inline Options sheared() {
    Options options = periodic();
    options.shear = 0.3;
    return options;
}

/// At the medium level.
inline Options finer_far_images() {
    Options options = periodic();
    options.theta = 0.5, options.order = 4;
    return options;
}

inline Options as_cuboids(Options options) {
    options.near_cells = NearCells::cuboid;
    return options;
}

inline Options table() {
    Options options = periodic();
    options.periodic_method = PeriodicMethod::table;
    options.ewald_nodes = 4;
    options.ewald_order = 2;
    return options;
}

inline Options sampled(Options options) {
    options.error_samples = 20;
    options.ewald_nodes = 4;
    options.ewald_order = 2;
    return options;
}

inline Options softened() {
    return with([](Options& o) { o.softening = 0.01; });
}

inline Options in_double() {
    Options options = softened();
    options.precision = Precision::double_, options.order = 4, options.theta = 0.6;
    return options;
}

inline Options spline() {
    return with([](Options& o) { o.softening_kernel = SofteningKernel::spline; });
}

inline Options redistributed() {
    return with([](Options& o) { o.redistribute = true; });
}

/// Before two planes of symmetry, on opposite sides of the bodies in different directions.
inline Options mirrored(Options options) {
    options.boundary = {Boundary::mirror_lower, Boundary::isolated, Boundary::mirror_upper};
    options.domain = unit_box;
    return options;
}

/// Each rank solves on its device.
inline Options shared() {
    return with([](Options& o) { o.gpu_sharing = GpuSharing::share; });
}

inline Options before_planes() { return mirrored(shared()); }

inline Options keep_moved() {
    return with([](Options& o) { o.gpu_sharing = GpuSharing::share, o.keep_moved = true; });
}

inline Options same_bits() {
    return with([](Options& o) { o.active_bits = ActiveBits::same; });
}

inline Options checked() {
    return with([](Options& o) { o.gpu_sharing = GpuSharing::share, o.check_changed = true; });
}

inline Options by(Criterion criterion) {
    Options options = base();
    options.criterion = criterion;
    return options;
}

/// Of points, so many on every rank that the GPU walks for sets of groups (tests/api/gpu/test_sets.cpp).
inline Options in_sets() {
    return with([](Options& o) { o.gpu_sharing = GpuSharing::share, o.group_size = 32; });
}

/// So loosely that the next solve takes what the first did.
inline Options tolerant() {
    return with([](Options& o) { o.tolerance = 0.05; });
}

/// So tightly that a first solve walks again.
inline Options tight() {
    return with([](Options& o) {
        o.gpu_sharing = GpuSharing::share, o.criterion = Criterion::multipole, o.alpha = automatic;
        o.tolerance = 1e-6, o.tolerance_of = ErrorOf::potential;
    });
}

inline Options one_by_one() {
    return with([](Options& o) { o.criterion = Criterion::automatic; });
}

inline Options direct() {
    return with([](Options& o) { o.theta = 0.0; });
}

}  // namespace gravlet::test
