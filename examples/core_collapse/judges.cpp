// SPDX-License-Identifier: Apache-2.0
#include "judges.hpp"

#include "output.hpp"

#include <cmath>
#include <cstdio>
#include <numbers>

namespace core_collapse {

namespace {

double norm(const Array3& a) { return std::hypot(a[0], a[1], a[2]); }

class Conservation : public Judge {
public:
    void look(const Simulation&) override {}
    [[nodiscard]] bool is_right(const Simulation& simulation, bool) const override {
        const Drift drift = drift_of(simulation.status(), simulation.totals());
        return std::abs(drift.mass) < 2e-11 && drift.momentum < 5e-5;
    }
};

/// A cold sphere's radius (by its moment of inertia) and the density in its middle against theory.
class FreeFall : public Conservation {
public:
    explicit FreeFall(const Settings& settings) : tolerance_(0.1 * std::pow(0.3, settings.finest - 3)) {}

    void look(const Simulation& simulation) override {
        const double shrunk = radius_after(simulation.time());
        std::array<double, 4> sum{};  // mass, inertia; mass and volume in the middle
        for (const Leaf& leaf : simulation.mesh().leaves())
            for_each_cell([&](const Index3& cell) {
                const double h = leaf.cell_size(), r = norm(between(leaf.centre(cell), middle, false));
                const double mass = (*leaf.gas)[0][offset(cell)] * leaf.volume();
                if (r < 0.3 * shrunk * ColdSphere::radius) sum[2] += mass, sum[3] += leaf.volume();
                if (r < 1.2 * ColdSphere::radius) sum[0] += mass, sum[1] += mass * (r * r + 0.25 * h * h);
            });
        MPI_Allreduce(MPI_IN_PLACE, sum.data(), 4, MPI_DOUBLE, MPI_SUM, simulation.mesh().comm());
        const double radius = std::sqrt(5.0 / 3.0 * sum[1] / sum[0]) / ColdSphere::radius;
        const double density = sum[2] / sum[3] / ColdSphere::density;
        radius_ = std::max(radius_, std::abs(radius / shrunk - 1.0));
        density_ = std::max(density_, std::abs(density * std::pow(shrunk, 3) - 1.0));
        shrunk_ = shrunk;
    }
    [[nodiscard]] bool is_right(const Simulation& simulation, bool speaks) const override {
        if (speaks)
            std::printf("free fall to %.3f of the radius: the radius is off by at most %.4f, the density by %.4f\n", shrunk_,
                        radius_, density_);
        return Conservation::is_right(simulation, speaks) && radius_ < tolerance_ && density_ < 0.35 * tolerance_;
    }

private:
    /// The radius over the first one: t = 2/pi (x + sin(2 x)/2), r = cos^2 x.
    static double radius_after(double time) {
        double low = 0.0, high = 0.5 * std::numbers::pi;
        for (int i = 0; i < 60; ++i) {
            const double x = 0.5 * (low + high);
            (2.0 / std::numbers::pi * (x + 0.5 * std::sin(2.0 * x)) < time ? low : high) = x;
        }
        return std::cos(low) * std::cos(low);
    }

    double tolerance_, radius_ = 0.0, density_ = 0.0, shrunk_ = 1.0;
};

/// The sink's growth in the second half of the run against 0.975 c^3/G, and where gas falls at a tenth of the sound speed.
class Shu : public Conservation {
public:
    void look(const Simulation& simulation) override {
        if (simulation.time() >= 0.5 * simulation.end() && first_time_ == 0.0)
            first_time_ = simulation.time(), first_mass_ = simulation.totals().sink_mass;
    }
    [[nodiscard]] bool is_right(const Simulation& simulation, bool speaks) const override {
        if (simulation.time() < 0.999 * simulation.end()) return Conservation::is_right(simulation, speaks);  // not there yet
        const double rate = (simulation.totals().sink_mass - first_mass_) / (simulation.time() - first_time_) / 0.975;
        const double head = falling_radius(simulation) / (where_it_falls() * simulation.time());
        const double start = 2.5 * simulation.finest_cell();  // the wave begins where the sink does
        if (speaks) std::printf("growth of the sink over theory: %.4f; radius of the expansion wave: %.4f\n", rate, head);
        return Conservation::is_right(simulation, speaks) && std::abs(rate - 1.0) < 0.06 &&
               std::abs(head - 1.0) < 2.0 * start / simulation.time();
    }

private:
    static constexpr double slow = 0.1;

    /// r/(c t) at which Shu's (1977) solution for the expansion wave falls with `slow`, by Euler's steps from its head.
    static double where_it_falls() {
        constexpr double step = 1e-6;
        double away = 0.01, x = 1.0 - away, v = -away - 0.5 * away * away, a = 2.0 + 2.0 * away * (1.0 + away);  // first terms
        for (; v > -slow; x -= step) {
            const double u = x - v, under = u * u - 1.0;
            const double dv = (a * u - 2.0 / x) * u / under, da = a * (a - 2.0 / x * u) * u / under;
            v -= step * dv, a -= step * da;
        }
        return x;
    }

    /// Collective. The outermost radius at which a shell's gas falls so fast.
    static double falling_radius(const Simulation& simulation) {
        constexpr int shells = 128;
        std::array<double, 2 * shells> sum{};  // mass, and momentum inwards
        for (const Leaf& leaf : simulation.mesh().leaves())
            for_each_cell([&](const Index3& cell) {
                const Array3 away = between(leaf.centre(cell), middle, false);
                const double r = norm(away);
                const auto shell = static_cast<std::size_t>(r * 2.0 * shells);
                if (shell >= shells) return;
                const Gas gas = gas_at(*leaf.gas, offset(cell));
                sum[2 * shell] += leaf.volume() * gas[0];
                for (std::size_t d = 0; d < 3; ++d) sum[2 * shell + 1] -= leaf.volume() * gas[d + 1] * away[d] / r;
            });
        MPI_Allreduce(MPI_IN_PLACE, sum.data(), 2 * shells, MPI_DOUBLE, MPI_SUM, simulation.mesh().comm());
        double outer = 0.0, outer_speed = 0.0;
        const double from = std::min(0.4, 1.5 * simulation.time());
        for (auto shell = static_cast<std::size_t>(from * 2.0 * shells); shell > 0; --shell) {
            if (sum[2 * shell] <= 0.0) continue;
            const double r = (static_cast<double>(shell) + 0.5) / (2.0 * shells), speed = sum[2 * shell + 1] / sum[2 * shell];
            if (speed >= slow) return outer > 0.0 ? r + (outer - r) * (speed - slow) / (speed - outer_speed) : r;
            outer = r, outer_speed = speed;
        }
        return 0.0;
    }

    double first_time_ = 0.0, first_mass_ = 0.0;
};

}  // namespace

std::unique_ptr<Judge> make_judge(const Settings& settings) {
    if (settings.problem == "freefall") return std::make_unique<FreeFall>(settings);
    if (settings.problem == "shu") return std::make_unique<Shu>();
    return std::make_unique<Conservation>();
}

}  // namespace core_collapse
