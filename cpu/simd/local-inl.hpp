// SPDX-License-Identifier: Apache-2.0
// A group's local expansion evaluated at its targets. Included by walk_batch.inl once for every instruction set.

/// Group g's local expansion, all components.
void complete_local(int g, const BatchWorkspace& work, double (&full)[local_count]) {
    for (std::size_t k = 0; k < local_count; ++k) full[k] = work.local[k][g];
    complete_traces(full, 0.0);
}

/// Evaluates group g's local expansion at its targets.
template <int D>
void evaluate_local(const BatchFrame& frame, const TargetArrays& targets, std::size_t at, std::size_t n, int g, double* sums,
                    std::size_t stride, const double (&full)[local_count]) {
    const FloatTag d;
    const auto scale = hn::Set(d, frame.far_scale);
    alignas(64) float series[local_count];
    unrolled<local_order + 1>([&](auto degree) {
        multipole::for_components<degree.value>([&](auto k) {
            constexpr int i = local_index(k.a, k.b, k.c);
            series[i] = static_cast<float>(full[i] / multipole::factorials(k.a, k.b, k.c));
        });
    });
    const auto coefficient = [&series](auto k) HWY_ATTR { return hn::Set(FloatTag(), series[local_index(k.a, k.b, k.c)]); };
    for (std::size_t from = 0; from < n; from += hn::Lanes(d)) {
        const TargetLanes t = targets.load<false>(at + from);
        Jet<FloatVector, D> sum = evaluate_polynomial<local_order, 0, D>(
            (t.x - hn::Set(d, frame.centre[0][g])) * scale, (t.y - hn::Set(d, frame.centre[1][g])) * scale,
            (t.z - hn::Set(d, frame.centre[2][g])) * scale, coefficient);
        FloatVector unit = scale;
        unrolled<D + 1>([&](auto degree) HWY_ATTR {
            unrolled<components_of(degree.value)>(
                [&](auto k) HWY_ATTR { sum.term[first_component(degree) + k] = sum.term[first_component(degree) + k] * unit; });
            unit = unit * scale;
        });
        flush(sum, sums + from, stride);
    }
}
