// SPDX-License-Identifier: Apache-2.0
// Criteria that hold what a node errs by against what acts on the targets (Options::criterion): each is a bound of the first
// moment that the node's series leaves out, M l^n for n = degree, from what is known of the node.
#pragma once

#include "physics/types.hpp"

#include <gravlet/options.hpp>

#include <cmath>

namespace gravlet {

/// What is known of a node when its radius is asked for.
struct NodeMeasures {
    double size, mass;
    double stretch;  ///< stretch_of() its moments
    double delta;    ///< distance from its cube's centre to its centre of mass
    double spread;   ///< Node::spread
    double extent;   ///< how far its mass is from its centre of mass, at most
};

/// The bound as if all mass were as far as it can be in the node's cube (Springel 2005).
struct AccelerationBound {
    /// Times the alpha of criterion acceleration: what keeps the same errors.
    static constexpr double alpha = 1.0;

    GRAVLET_HD static double length(const NodeMeasures& node) { return node.size; }
    GRAVLET_HD static double second_moment(const NodeMeasures& node) { return node.mass * node.size * node.size; }
};

/// The bound from the node's own second moment and extent (Salmon & Warren 1994).
struct MultipoleBound {
    static constexpr double alpha = 0.1;

    GRAVLET_HD static double length(const NodeMeasures& node) { return node.extent; }
    GRAVLET_HD static double second_moment(const NodeMeasures& node) {
        return fmin(node.mass * node.extent * node.extent, 2.0 * node.mass * node.spread);
    }
};

/// f(bound), of a criterion other than opening: the one place where these are listed.
template <class F>
GRAVLET_HD auto with_error_bound(Criterion criterion, const F& f) {
    return criterion == Criterion::multipole ? f(MultipoleBound()) : f(AccelerationBound());
}

/// Times the alpha of criterion acceleration: what keeps the same errors.
inline double relative_alpha(Criterion criterion) {
    return with_error_bound(criterion, [](auto bound) { return decltype(bound)::alpha; });
}

}  // namespace gravlet
