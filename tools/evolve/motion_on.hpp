// SPDX-License-Identifier: Apache-2.0
// Motion on a backend, by its primitives.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/keys.hpp"
#include "tools/evolve/motion.hpp"

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

namespace gravlet {

GRAVLET_HD inline MotionSums operator+(const MotionSums& a, const MotionSums& b) {
    MotionSums sum{a.mass + b.mass, a.kinetic + b.kinetic, a.potential + b.potential, {}, {}, {}};
    for (int d = 0; d < 3; ++d) {
        sum.mass_position[d] = a.mass_position[d] + b.mass_position[d];
        sum.momentum[d] = a.momentum[d] + b.momentum[d];
        sum.angular_momentum[d] = a.angular_momentum[d] + b.angular_momentum[d];
    }
    return sum;
}

/// `Machine` is what Exec refers to; `Flags` an array of bytes that the backend writes and the host reads.
template <class Exec, class Machine, class Flags>
class MotionOn final : public Motion {
    template <class T>
    using Buffer = typename Exec::template Buffer<T>;
    using Vectors = std::array<Buffer<double>, 3>;

public:
    template <class... Arguments>
    MotionOn(bool tidal, double softening, const Arguments&... arguments)
        : machine_(arguments...),
          exec_(machine_.exec()),
          softening_of_all_(softening),
          x_{vectors()},
          v_{vectors()},
          a_{vectors()},
          tidal_(exec_.template buffer<double>()),
          mass_(exec_.template buffer<double>()),
          potential_(exec_.template buffer<double>()),
          softening_(exec_.template buffer<double>()),
          spare_(exec_.template buffer<double>()),
          id_(exec_.template buffer<std::uint64_t>()),
          spare_id_(exec_.template buffer<std::uint64_t>()),
          level_(exec_.template buffer<std::uint8_t>()),
          with_tidal_(tidal) {}

    void set(const Snapshot& given) override {
        const typename Exec::Scope scope(exec_);
        const PointSet& p = given.points;
        count_ = p.size();
        const std::vector<double>* const positions[] = {&p.x, &p.y, &p.z};
        for (std::size_t d = 0; d < 3; ++d) {
            bring_in(*positions[d], x_[d]);
            bring_in(p.velocity[d], v_[d]);
            a_[d].resize_discard(count_);
        }
        bring_in(p.mass, mass_);
        potential_.resize_discard(count_);
        softening_.resize_discard(0);
        if (!p.softening.empty()) bring_in(p.softening, softening_);
        id_.resize_discard(count_);
        copy_in(exec_, p.id.data(), id_.data(), count_);
        if (with_tidal_) tidal_.resize_discard(6 * count_);
        level_.resize_discard(count_);
        flags_.resize_discard(count_);
        std::uint8_t* const level = level_.data();
        for_each(exec_, count_, [=] GRAVLET_HD(std::size_t i) { level[i] = 0; });
    }

    void get(Snapshot& out) const override {
        const typename Exec::Scope scope(exec_);
        PointSet& p = out.points;
        std::vector<double>* const positions[] = {&p.x, &p.y, &p.z};
        for (std::size_t d = 0; d < 3; ++d) {
            bring_out(x_[d], *positions[d]);
            bring_out(v_[d], p.velocity[d]);
            bring_out(a_[d], out.acceleration[d]);
        }
        bring_out(mass_, p.mass);
        bring_out(potential_, out.potential);
        bring_out(softening_, p.softening);
        p.id.resize(count_);
        copy_out(exec_, id_.data(), p.id.data(), count_);
    }

    void sort() override {
        const typename Exec::Scope scope(exec_);
        if (count_ == 0) return;
        const double *const x = x_[0].data(), *const y = x_[1].data(), *const z = x_[2].data();
        const Bounds box = transform_reduce(
            exec_, count_,
            [=] GRAVLET_HD(std::size_t i) {
                return Bounds{{x[i], y[i], z[i]}, {x[i], y[i], z[i]}};
            },
            empty_bounds(), [] GRAVLET_HD(const Bounds& p, const Bounds& q) { return united(p, q); });
        const double side =
            std::max({box.upper.x - box.lower.x, box.upper.y - box.lower.y, box.upper.z - box.lower.z}) * (1.0 + 0x1p-40);
        if (!(side > 0.0)) return;
        const RootCube cube{box.lower, side};
        auto keys = exec_.template buffer<key_type>();
        auto order = exec_.template buffer<std::uint32_t>();
        keys.resize_discard(count_), order.resize_discard(count_);
        key_type* const key = keys.data();
        std::uint32_t* const from = order.data();
        for_each(exec_, count_, [=] GRAVLET_HD(std::size_t i) {
            key[i] = hilbert_key(cube.place(Vector3{x[i], y[i], z[i]}));
            from[i] = static_cast<std::uint32_t>(i);
        });
        sort_by_key(exec_, key, from, count_, 0);
        for (Vectors* vectors : {&x_, &v_})
            for (Buffer<double>& component : *vectors) put_in_order(from, component, spare_);
        for (Buffer<double>* scalars : {&mass_, &softening_}) put_in_order(from, *scalars, spare_);
        put_in_order(from, id_, spare_id_);
        exec_.synchronize();
    }

    /// The array becomes what it was at each of these places. (Public: CUDA's extended lambdas may not be in private functions.)
    template <class T>
    void put_in_order(const std::uint32_t* from, Buffer<T>& array, Buffer<T>& spare) {
        if (array.size() == 0) return;
        spare.resize_discard(count_);
        const T* const old = array.data();
        T* const to = spare.data();
        for_each(exec_, count_, [=] GRAVLET_HD(std::size_t i) { to[i] = old[from[i]]; });
        std::swap(array, spare);
    }

    [[nodiscard]] Points points() override {
        const auto span = [&](const Buffer<double>& array) { return std::span<const double>(array.data(), array.size()); };
        return {span(x_[0]), span(x_[1]), span(x_[2]), span(mass_), active_flags(), span(softening_)};
    }

    [[nodiscard]] Fields fields() override {
        const auto span = [&](Buffer<double>& array) { return std::span<double>(array.data(), array.size()); };
        Fields fields{span(potential_), {span(a_[0]), span(a_[1]), span(a_[2])}};
        if (with_tidal_)
            for (std::size_t k = 0; k < 6; ++k) fields.tidal[k] = span(tidal_).subspan(k * count_, count_);
        return fields;
    }

    [[nodiscard]] std::array<InputSpan, 3> velocities() const override {
        const auto span = [&](const Buffer<double>& array) { return std::span<const double>(array.data(), array.size()); };
        return {span(v_[0]), span(v_[1]), span(v_[2])};
    }

    void activate(int level) override {
        const typename Exec::Scope scope(exec_);
        active_level_ = level;
        if (level <= 0) return;
        std::uint8_t* const flags = flags_.data();
        const std::uint8_t* const levels = level_.data();
        for_each(exec_, count_, [=] GRAVLET_HD(std::size_t i) { flags[i] = levels[i] >= level ? 1 : 0; });
        exec_.synchronize();  // the host reads the flags
    }

    void choose_levels(const StepRule& rule, int least) override {
        const typename Exec::Scope scope(exec_);
        std::uint8_t* const levels = level_.data();
        const Wanted wanted = wanted_steps(rule);
        const int active = active_level_;
        for_each(exec_, count_, [=] GRAVLET_HD(std::size_t i) {
            if (levels[i] < active) return;
            const int level = wanted.level(i);
            levels[i] = static_cast<std::uint8_t>(level < least ? least : level > rule.levels ? rule.levels : level);
        });
    }

    [[nodiscard]] int deepest_level() const override {
        const typename Exec::Scope scope(exec_);
        const std::uint8_t* const levels = level_.data();
        return transform_reduce(
            exec_, count_, [=] GRAVLET_HD(std::size_t i) { return int{levels[i]}; }, 0,
            [] GRAVLET_HD(int p, int q) { return p > q ? p : q; });
    }

    [[nodiscard]] std::int64_t too_slow(const StepRule& rule) const override {
        const typename Exec::Scope scope(exec_);
        const Wanted wanted = wanted_steps(rule);
        return transform_reduce(
            exec_, count_, [=] GRAVLET_HD(std::size_t i) { return std::int64_t{wanted.level(i) > rule.levels}; }, std::int64_t{0},
            [] GRAVLET_HD(std::int64_t p, std::int64_t q) { return p + q; });
    }

    void kick(double largest_step) override {
        const typename Exec::Scope scope(exec_);
        const std::uint8_t* const levels = level_.data();
        const int active = active_level_;
        double* const v[] = {v_[0].data(), v_[1].data(), v_[2].data()};
        const double* const a[] = {a_[0].data(), a_[1].data(), a_[2].data()};
        const double half = 0.5 * largest_step;
        for_each(exec_, count_, [=] GRAVLET_HD(std::size_t i) {
            if (levels[i] < active) return;
            const double time = ldexp(half, -levels[i]);
            for (int d = 0; d < 3; ++d) v[d][i] += time * a[d][i];
        });
    }

    void drift(double time, const Wrap& wrap) override {
        const typename Exec::Scope scope(exec_);
        double* const x[] = {x_[0].data(), x_[1].data(), x_[2].data()};
        double* const v[] = {v_[0].data(), v_[1].data(), v_[2].data()};
        for_each(exec_, count_, [=] GRAVLET_HD(std::size_t i) {
            for (int d = 0; d < 3; ++d) {
                double at = x[d][i] + time * v[d][i];
                if (wrap.side[d] > 0.0) {
                    const double side = wrap.side[d];
                    at -= side * floor((at - wrap.lower[d]) / side);
                    at = at < wrap.lower[d] + side ? at : wrap.lower[d];
                }
                if (wrap.inward[d] * (at - wrap.plane[d]) < 0.0) at = 2.0 * wrap.plane[d] - at, v[d][i] = -v[d][i];
                x[d][i] = at;
            }
        });
        exec_.synchronize();
    }

    [[nodiscard]] MotionSums sums() const override {
        const typename Exec::Scope scope(exec_);
        const double* const x[] = {x_[0].data(), x_[1].data(), x_[2].data()};
        const double* const v[] = {v_[0].data(), v_[1].data(), v_[2].data()};
        const double *const mass = mass_.data(), *const potential = potential_.data();
        return transform_reduce(
            exec_, count_,
            [=] GRAVLET_HD(std::size_t i) {
                const double m = mass[i];
                MotionSums sum{m, 0.0, 0.5 * m * potential[i], {}, {}, {}};
                for (int d = 0; d < 3; ++d) {
                    const int e = (d + 1) % 3, f = (d + 2) % 3;
                    sum.kinetic += 0.5 * m * v[d][i] * v[d][i];
                    sum.mass_position[d] = m * x[d][i];
                    sum.momentum[d] = m * v[d][i];
                    sum.angular_momentum[d] = m * (x[e][i] * v[f][i] - x[f][i] * v[e][i]);
                }
                return sum;
            },
            MotionSums{}, [] GRAVLET_HD(const MotionSums& p, const MotionSums& q) { return p + q; });
    }

    void work(std::vector<double>& of) const override {
        const typename Exec::Scope scope(exec_);
        std::vector<std::uint8_t> levels(count_);
        copy_out(exec_, level_.data(), levels.data(), count_);
        of.resize(count_);
        std::ranges::transform(levels, of.begin(), [](std::uint8_t level) { return std::ldexp(1.0, level); });
    }

    /// The level that a rule gives each point's step; the arrays are in the backend's memory.
    struct Wanted {
        StepRule rule;
        const double *ax, *ay, *az, *tidal, *softening;
        double softening_of_all;
        std::size_t count;

        [[nodiscard]] GRAVLET_HD int level(std::size_t i) const {
            const double a2 = ax[i] * ax[i] + ay[i] * ay[i] + az[i] * az[i];
            double t2 = 0.0;
            for (int k = 0; tidal != nullptr && k < 6; ++k) {  // xx, xy, xz, yy, yz, zz
                const double t = tidal[static_cast<std::size_t>(k) * count + i];
                t2 += (k == 0 || k == 3 || k == 5 ? 1.0 : 2.0) * t * t;
            }
            return rule.level_of(rule.wanted(a2, softening != nullptr ? softening[i] : softening_of_all, t2));
        }
    };

private:
    [[nodiscard]] Vectors vectors() const {
        return {exec_.template buffer<double>(), exec_.template buffer<double>(), exec_.template buffer<double>()};
    }
    void bring_in(const std::vector<double>& from, Buffer<double>& to) {
        to.resize_discard(count_);
        copy_in(exec_, from.data(), to.data(), count_);
    }
    void bring_out(const Buffer<double>& from, std::vector<double>& to) const {
        to.resize(from.size());
        copy_out(exec_, from.data(), to.data(), from.size());
    }
    [[nodiscard]] std::span<const std::uint8_t> active_flags() {
        if (active_level_ <= 0) return {};
        return {flags_.data(), count_};
    }
    [[nodiscard]] Wanted wanted_steps(const StepRule& rule) const {
        return {rule,
                a_[0].data(),
                a_[1].data(),
                a_[2].data(),
                with_tidal_ ? tidal_.data() : nullptr,
                softening_.size() > 0 ? softening_.data() : nullptr,
                softening_of_all_,
                count_};
    }

    Machine machine_;
    Exec exec_;
    double softening_of_all_;
    std::size_t count_ = 0;
    Vectors x_, v_, a_;
    Buffer<double> tidal_;  ///< six components, count_ of each
    Buffer<double> mass_, potential_, softening_, spare_;
    Buffer<std::uint64_t> id_, spare_id_;
    Buffer<std::uint8_t> level_;
    Flags flags_;
    bool with_tidal_;
    int active_level_ = 0;  ///< 0: all are
};

}  // namespace gravlet
