// SPDX-License-Identifier: Apache-2.0
// Local expansions of a batch: far nodes summed on the groups' centres, lanes = groups, a node broadcast to all of them; then
// each group's series evaluated at its targets. Included by walk_batch.inl once for every instruction set.

/// Sums the far records into work.local.
template <int P>
void sum_far_nodes(const BatchFrame& frame, BatchWorkspace& work) {
    constexpr std::size_t chunk = 64;  // sums of so many in single precision
    const FloatTag d;
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f), scale = hn::Set(d, frame.far_scale);
    const auto number = [](float v) HWY_ATTR { return hn::Set(FloatTag(), v); };
    for (auto& lanes : work.local) std::fill_n(lanes, batch_groups, 0.0);
    const std::size_t count = work.far_groups.size();
    for (std::size_t g = 0; g < batch_groups; g += hn::Lanes(d)) {
        const auto x = hn::Load(d, frame.centre[0] + g) * scale, y = hn::Load(d, frame.centre[1] + g) * scale,
                   z = hn::Load(d, frame.centre[2] + g) * scale;
        for (std::size_t begin = 0; begin < count; begin += chunk) {
            FloatVector local[local_count];
            for (auto& sum : local) sum = zero;
            for (std::size_t i = begin; i < std::min(count, begin + chunk); ++i) {
                const float* const record = work.far_records.data() + i * FarRecord::length(P);
                const std::uint32_t groups = work.far_groups.data()[i] >> g;
                if ((groups & ((1u << hn::Lanes(d)) - 1u)) == 0) continue;
                alignas(8)
                    const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(groups), static_cast<std::uint8_t>(groups >> 8)};
                const auto active = hn::LoadMaskBits(d, bytes);
                const auto rx = x - number(record[FarRecord::x]), ry = y - number(record[FarRecord::y]),
                           rz = z - number(record[FarRecord::z]);
                // Where a group does not take part, its distance may be anything: 1 keeps the arithmetic finite.
                const auto r2 = hn::IfThenElse(active, hn::MulAdd(rx, rx, hn::MulAdd(ry, ry, rz * rz)), one);
                const auto mass = hn::IfThenElseZero(active, number(record[FarRecord::mass]));
                FloatVector derivative[local_count];
                derivatives(rx, ry, rz, reciprocal_sqrt(r2), number, derivative);
                add_to_local<P>(local, derivative, mass, [record, number](auto m) HWY_ATTR {
                    return number(record[static_cast<int>(FarRecord::moments) + decltype(m)::value]);
                });
            }
            for (std::size_t k = 0; k < local_count; ++k) flush(local[k], work.local[k] + g);
        }
    }
}

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
