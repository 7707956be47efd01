// SPDX-License-Identifier: Apache-2.0
// What a solve needs for periodic directions; nothing where there are none. The tree is walked for the nearest images of the box,
// and the others are added once (solver/periodic/far_images.hpp).
#pragma once

#include "ewald/domain.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/periodic/far_field.hpp"

#include <optional>
#include <vector>

namespace gravlet {

/// The most images that a walk can tell apart.
inline constexpr std::size_t max_walked_images = 255;

/// Displacements of all images that are walked for any piece, the box itself first.
std::vector<Vector3> walked_images(const Frame& frame);

template <class Exec>
class Periodicity {
public:
    Periodicity(const Exec& exec, const Options& options) : exec_(exec), displacements_(exec.template buffer<Vector3>()) {
        if (Domain(options).walks_images()) far_.emplace(exec);
    }

    /// Local. Begins a solve, once its units are known, and what it takes.
    void begin(const Frame& frame, const Options& taken, Narrator& narrator) {
        if (!far_) return;
        const std::vector<Vector3> images = walked_images(frame);
        displacements_.resize_discard(images.size());
        copy_in(exec_, images.data(), displacements_.data(), images.size());
        far_->begin(frame, taken, narrator);
    }

    void set(const Frame& frame, WalkTargets& targets) const {
        if (!far_) return;
        targets.images = displacements_.data();
        targets.image_count = static_cast<int>(displacements_.size());
        targets.pieces = frame.pieces;
    }

    /// The field of the images that are not walked; none where all are.
    [[nodiscard]] FarField<Exec>* far() { return far_ ? &*far_ : nullptr; }

private:
    Exec exec_;
    typename Exec::template Buffer<Vector3> displacements_;
    std::optional<FarField<Exec>> far_;
};

}  // namespace gravlet
