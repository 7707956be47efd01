// SPDX-License-Identifier: Apache-2.0
// What single precision relative to a batch's frame cannot tell apart: sources and nodes that are very close to a target, done
// one by one in double from the bodies' own positions. Included by walk_batch.inl once for every instruction set.

/// The targets of a group, and where their sums go.
struct ClosePairs {
    const TreeView* tree;
    const WalkTargets* targets;
    std::size_t first;  ///< sorted index of the first target
    std::size_t count;  ///< number of targets; lanes beyond are not of this group
    double* sums;       ///< sums by component, `stride` apart
    std::size_t stride;
    std::uint32_t* coincident;

    void skip(std::size_t targets_before) {
        first += targets_before, count -= targets_before;
        sums += targets_before, coincident += targets_before;
    }
    template <int D>
    void add(std::size_t target, const Jet<double, D>& sum) const {
        for (std::size_t k = 0; k < component_count(D); ++k) sums[k * stride + target] += sum.term[k];
    }
};

/// Lets the source of a precise record act on the targets from `from` on whose lanes are not 0: add_pair() for a few at once,
/// because of bodies that crowd all pairs may be close.
template <int D>
HWY_NOINLINE void add_close_source(const ClosePairs& close, std::size_t from, const float* lanes, std::size_t lane_count,
                                   const float* record) {
    std::uint32_t index = 0;
    int image = 0;
    std::memcpy(&index, record + PreciseSourceRecord::source, sizeof index);
    std::memcpy(&image, record + PreciseSourceRecord::image, sizeof image);
    const Source& source = close.tree->sources[index];
    const Vector3 shift = displacement(*close.targets, image);
    alignas(64) double x[batch_groups] = {}, y[batch_groups] = {}, z[batch_groups] = {}, softening2[batch_groups] = {},
                       mass[batch_groups] = {}, r2[batch_groups] = {};
    const std::size_t count = std::min(lane_count, close.count - from);
    for (std::size_t i = 0; i < count; ++i) {
        const Source& target = close.targets->bodies[close.first + from + i];
        x[i] = target.x, y[i] = target.y, z[i] = target.z;
        const double softening = pair_softening(target.softening, source.softening);
        softening2[i] = softening * softening;
        mass[i] = lanes[i] != 0.0f ? exact_mass(source) : 0.0;
        if (close.targets->softening_kernel == SofteningKernel::plummer || !(mass[i] * softening > 0.0)) continue;
        Jet<double, D> sum{};
        add_pair(sum, target, source, shift, SofteningKernel::spline);
        close.add(from + i, sum);
        mass[i] = 0.0;
    }
    const hn::CappedTag<double, batch_groups> d;
    using DoubleVector = hn::VFromD<decltype(d)>;
    const auto apart = [d](const double* to, double other, double displaced) HWY_ATTR {  // separation()
        const DoubleVector a = hn::Load(d, to), b = hn::Set(d, other), difference = a - b, b_taken = a - difference;
        return (difference - hn::Set(d, displaced)) + ((a - (difference + b_taken)) + (b_taken - b));
    };
    double* const sums = close.sums + from;  // padded: lanes without a target add nothing
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
        const DoubleVector rx = apart(x + i, source.x, shift.x), ry = apart(y + i, source.y, shift.y),
                           rz = apart(z + i, source.z, shift.z);
        const DoubleVector square = rx * rx + ry * ry + rz * rz + hn::Load(d, softening2 + i);
        hn::Store(square, d, r2 + i);
        const auto distant = hn::Gt(square, hn::Zero(d));
        const DoubleVector r_inverse = hn::IfThenElseZero(distant, hn::Set(d, 1.0) / hn::Sqrt(square));
        const DoubleVector m_r = hn::Load(d, mass + i) * r_inverse;
        hn::StoreU(hn::LoadU(d, sums + i) + m_r, d, sums + i);
        if constexpr (D > 0) {
            const DoubleVector m_r3 = m_r * r_inverse * r_inverse;
            const auto add = [&](std::size_t array, DoubleVector a, DoubleVector b) HWY_ATTR {
                double* const to = sums + array * close.stride + i;
                hn::StoreU(hn::LoadU(d, to) - a * b, d, to);
            };
            add(1, m_r3, rx), add(2, m_r3, ry), add(3, m_r3, rz);
            if constexpr (D > 1) {
                const DoubleVector nx = rx * r_inverse, ny = ry * r_inverse, nz = rz * r_inverse;
                const DoubleVector one = hn::Set(d, 1.0), tide = hn::Set(d, -3.0) * m_r3;
                add(4, m_r3, one), add(7, m_r3, one), add(9, m_r3, one);
                add(4, tide * nx, nx), add(5, tide * nx, ny), add(6, tide * nx, nz);
                add(7, tide * ny, ny), add(8, tide * ny, nz), add(9, tide * nz, nz);
            }
        }
    }
    for (std::size_t i = 0; i < count; ++i)
        if (lanes[i] != 0.0f && r2[i] == 0.0) ++close.coincident[from + i];
}

/// Lets a node act on all targets of the group.
template <int P, int D>
HWY_NOINLINE void add_close_node(const ClosePairs& close, const ListedNode& from) {
    const Node& node = close.tree->nodes[from.node];
    const float* const moments = close.tree->moments + from.node * static_cast<std::size_t>(moment_count(P));
    const Vector3 shift = displacement(*close.targets, from.image);
    for (std::size_t i = 0; i < close.count; ++i) {
        Jet<double, D> sum{};
        add_node_pair<P>(sum, close.targets->bodies[close.first + i], node, moments, shift, close.targets->softening_kernel);
        close.add(i, sum);
    }
}
