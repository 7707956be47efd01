// SPDX-License-Identifier: Apache-2.0
// Softened pairs, and how far away nodes must be to be taken for what they are without softening.
#pragma once

#include "physics/multipole.hpp"
#include "physics/types.hpp"
#include "physics/walk_rules.hpp"

#include <gravlet/options.hpp>

#include <cmath>

namespace gravlet {

#include "physics/softening.inl"

/// Softening lengths to the end of the spline.
inline constexpr double spline_support = 2.8;

/// One over the spline's support, of a softening length. Limited: shorter supports are met in double only.
GRAVLET_HD inline float inverse_support(float softening) {
    return 1.0f / fmaxf(static_cast<float>(spline_support) * softening, static_cast<float>(nearest_single_precision));
}

/// Law of a pair at a distance > 0 within the spline's support.
template <class T>
GRAVLET_HD PairLaw<T> spline_law(T r2, T support_inverse) {
    const auto number = [](double v) { return static_cast<T>(v); };
    const T r_inverse = 1 / static_cast<T>(sqrt(r2)), u = r2 * r_inverse * support_inverse;
    const bool core = u < static_cast<T>(0.5);
    const PairLaw<T> factor = core ? spline_core(u, number) : spline_rim(1 - u, number);
    const T unit = core ? support_inverse : r_inverse;
    const T cube = unit * unit * unit;
    return {factor.potential * unit, factor.field * cube, factor.tide * cube, unit};
}

GRAVLET_HD inline double reciprocal_root(double x) {
#if defined(__CUDA_ARCH__)
    return rsqrt(x);
#else
    return 1.0 / std::sqrt(x);
#endif
}

/// Law of a pair in double; r2 or softening above 0.
GRAVLET_HD inline PairLaw<double> pair_law(double r2, double softening, SofteningKernel kernel) {
    if (kernel == SofteningKernel::spline) {
        const double h = spline_support * softening;
        if (r2 == 0.0) return {1.0 / softening, 32.0 / 3.0 / (h * h * h), 0.0, 0.0};
        if (r2 < h * h) return spline_law(r2, 1.0 / h);
        softening = 0.0;
    }
    const double r_inverse = reciprocal_root(r2 + softening * softening);
    const double cube = r_inverse * r_inverse * r_inverse;
    return {r_inverse, cube, 3.0 * cube, r_inverse};
}

/// Softening length of a pair, whose bodies have lengths a and b.
template <class A, class B>
GRAVLET_HD double pair_softening(A a, B b) {
    const double larger = a > b ? a : b;
    return larger >= 2.0 * point_mark ? larger : 0.0;
}

/// How much farther away than its open radius a node must be, in softening lengths (the longer of its sources' and the
/// targets'). Its moments are of unsoftened masses. Plummer's kernel changes them at any distance, but little at this one, beside
/// the correction of soften_extent(); outside of its support the spline changes nothing.
GRAVLET_HD constexpr float open_margin(SofteningKernel kernel) { return kernel == SofteningKernel::plummer ? 4.0f : 2.8001f; }

/// How much farther away than its open radius, in softening lengths, a node must be to act on a group's centre. Local expansions
/// know nothing of softening: it takes softening^2/2R^2 from a potential, by Plummer's kernel, of which a quarter of what the
/// series may err by is allowed.
inline float far_margin(SofteningKernel kernel, float potential_limit) {
    return kernel == SofteningKernel::plummer ? std::sqrt(2.0f / potential_limit) : open_margin(kernel);
}

/// Mean of the sources' softening^4, as the node's other numbers tell.
GRAVLET_HD inline double mean_softening4(const Node& node) {
    const double least2 = double{node.least_softening} * node.least_softening,
                 most2 = double{node.most_softening} * node.most_softening, span2 = most2 - least2;
    return node.softening2 * (least2 + most2) - least2 * most2 - node.mixture * (span2 * span2 / (4.0 * 65535.0));
}

/// Node::mixture of a node whose least, most and mean softening are known.
GRAVLET_HD inline std::uint16_t mixture_of(const Node& node, double mean4) {
    const double least2 = double{node.least_softening} * node.least_softening,
                 most2 = double{node.most_softening} * node.most_softening, span2 = most2 - least2;
    if (!(span2 > 0.0)) return 0;
    const double missing = node.softening2 * (least2 + most2) - least2 * most2 - mean4, part = 4.0 * missing / (span2 * span2);
    return static_cast<std::uint16_t>(part > 0.0 ? fmin(part, 1.0) * 65535.0 + 0.5 : 0.0);
}

GRAVLET_HD inline NodeSoftening<float> softening_of(const Node& node) {
    const float least2 = node.least_softening * node.least_softening, span2 = node.most_softening * node.most_softening - least2;
    if (!(span2 > 0.0f)) return {node.softening2, least2, 0.0f, 0.0f, 0.0f};
    const float slope = fmaxf((least2 + span2 - node.softening2) / span2, 0.0f);
    return {node.softening2, least2, span2, slope, 0.75f / 65535.0f * node.mixture / span2};
}

/// node_softening2() of a node that is beyond its margin; for the spline 0.
GRAVLET_HD inline double node_softening2(const Source& target, const Node& node, SofteningKernel kernel) {
    if (kernel == SofteningKernel::spline) return 0.0;
    const auto [mean2, least2, span2, slope, curve] = softening_of(node);
    const double own = target.softening;
    return node_softening2(own * own, NodeSoftening<double>{mean2, least2, span2, slope, curve});
}

}  // namespace gravlet
