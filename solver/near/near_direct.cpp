// SPDX-License-Identifier: Apache-2.0
#include "solver/near/near_direct.hpp"

#include "ewald/domain.hpp"
#include "physics/order.hpp"

#include <algorithm>

namespace gravlet {

void NearDirect::agree(Stages& stages, const Options& options, const std::vector<Body>& bodies, std::size_t cells) {
    law_ = {}, shapes_ = {};
    if (options.near_cells == NearCells::point) return;
    stages.local([&] {
        for (std::size_t i = 0; i < cells; ++i) shapes_.add(bodies[i]);
    });
    stages.collective([&](const Agreed& all) { all.all_reduce(shapes_.of, 8, MPI_MIN); });
    if (!shapes_.any()) return;
    if (!shapes_.one_shape()) return stages.narrator().warn(several_shapes);
    stages.local([&] {
        table_.make(shapes_);
        law_ = table_.law();
        law_.table = table_.jets().data();
        images_ = near_images(Domain(options).box(), law_, -shapes_.of[4]);
    });
}

double NearDirect::size_of(const Body& body, bool is_point) const {
    return law_.any() && !is_point ? std::min({body.dx, body.dy, body.dz}) : 0.0;
}

void NearDirect::add(const DirectTargets& targets, std::span<const DirectSource> sources, bool in_cells) {
    if (!law_.any()) return;
    sorted_.clear();
    reach_ = 0.0;
    for (const DirectSource& source : sources) {
        if (!(source.size > 0.0)) continue;
        reach_ = std::max(reach_, 1.01 * law_.reach[0] * source.size);
        for (const Vector3& image : images_) {
            sorted_.push_back(source);
            sorted_.back().x += image.x, sorted_.back().y += image.y, sorted_.back().z += image.z;
        }
    }
    std::ranges::sort(sorted_, {}, &DirectSource::x);
    with_derivatives(targets.derivatives(), [&](auto d) { add<decltype(d)::value>(targets, in_cells); });
}

template <int D>
void NearDirect::add(const DirectTargets& targets, bool in_cells) const {
#pragma omp parallel for schedule(dynamic, 256)
    for (std::size_t t = 0; t < targets.x.size(); ++t) {
        if (targets.id[t] < 0) continue;
        Jet<double, D> sum{};
        const double x = targets.x[t], y = targets.y[t], z = targets.z[t];
        for (auto s = std::ranges::lower_bound(sorted_, x - reach_, {}, &DirectSource::x);
             s != sorted_.end() && s->x <= x + reach_; ++s) {
            const Vector3 d{x - s->x, y - s->y, z - s->z};
            const double per_size = 1.0 / s->size;
            const NearLaw::Steps steps = law_.steps(d, per_size);
            if (!law_.is_near(steps)) continue;
            if (in_cells)
                law_.add_anywhere(sum, d, s->mass, per_size);
            else
                law_.add(sum, d, steps, s->mass, per_size);
        }
        for (std::size_t k = 0; k < component_count(D); ++k)
            if (!targets.sums[k].empty()) targets.sums[k][t] += sum.term[k];
    }
}

}  // namespace gravlet
