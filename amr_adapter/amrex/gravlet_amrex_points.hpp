// SPDX-License-Identifier: Apache-2.0
// What goes along with AMReX's grids as points: particles, and guard cells that no grid of their level has, as points without
// mass. Part of gravlet_amrex.hpp.
#pragma once

#include <gravlet/cells.hpp>

#include <AMReX_Geometry.H>
#include <AMReX_GpuContainers.H>
#include <AMReX_GpuLaunch.H>
#include <AMReX_MultiFab.H>
#include <AMReX_REAL.H>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gravlet {

/// A cell's side in double precision, whatever amrex::Real is: levels' cells must fit together.
inline double cell_size(const amrex::Geometry& geometry, int axis) {
    return (static_cast<double>(geometry.ProbHi(axis)) - static_cast<double>(geometry.ProbLo(axis))) /
           geometry.Domain().length(axis);
}

/// Particles of a rank, in AMReX's memory, which they stay in: pointers to values of the first, and how many elements further the
/// next one's are.
struct AmrexParticles {
    amrex::Long count = 0;
    std::array<const amrex::ParticleReal*, 3> position{};
    const amrex::ParticleReal* mass = nullptr;
    std::ptrdiff_t stride = 1;
    amrex::ParticleReal* potential = nullptr;            ///< null: not wanted
    std::array<amrex::ParticleReal*, 3> acceleration{};  ///< null: not wanted
};

/// Local. All particles of a container, of any level, arrays of structs or structs of arrays, with real component `mass` (not
/// counting the position); results go to components `potential` and `acceleration` to `acceleration` + 2 (-1: not wanted). Until
/// the container is changed. Particles that are to go have gone by then: Redistribute() removes those with negative ids.
template <class Container>
std::vector<AmrexParticles> particles_of(Container& container, int mass, int acceleration = -1, int potential = -1) {
    std::vector<AmrexParticles> out;
    for (int level = 0; level <= container.finestLevel(); ++level) {
        for (typename Container::ParIterType tile(container, level); tile.isValid(); ++tile) {
            AmrexParticles p;
            p.count = tile.numParticles();
            if (p.count == 0) continue;
            const auto component = [&](int k) -> amrex::ParticleReal* {
                if constexpr (Container::ParticleType::is_soa_particle) {
                    return tile.GetStructOfArrays().GetRealData(AMREX_SPACEDIM + k).data();
                } else {
                    return &tile.GetArrayOfStructs().data()->rdata(k);
                }
            };
            for (int d = 0; d < 3; ++d) {
                const std::size_t axis = static_cast<std::size_t>(d);
                if constexpr (Container::ParticleType::is_soa_particle) {
                    p.position[axis] = tile.GetStructOfArrays().GetRealData(d).data();
                } else {
                    p.position[axis] = &tile.GetArrayOfStructs().data()->pos(d);
                    p.stride = sizeof(typename Container::ParticleType) / sizeof(amrex::ParticleReal);
                }
                if (acceleration >= 0) p.acceleration[axis] = component(acceleration + d);
            }
            p.mass = component(mass);
            if (potential >= 0) p.potential = component(potential);
            out.push_back(p);
        }
    }
    return out;
}

/// A solve's points in arrays of their own: guard cells, then particles. Its functions are public because CUDA's extended lambdas
/// may not be in private ones.
class AmrexPoints {
public:
    void clear() { guards_.clear(), count_ = 0; }

    /// Guard cells of a level's grids that neither a grid of the level nor an image of one covers.
    void add_guards(int level, const amrex::Geometry& geometry, const amrex::MultiFab& grids) {
        for (amrex::MFIter grid(grids); grid.isValid(); ++grid) {
            amrex::BoxList left(grid.fabbox());
            for (const amrex::IntVect& shift : geometry.periodicity().shiftIntVect()) {
                amrex::BoxList still;
                for (const amrex::Box& box : left) {
                    for (amrex::Box part : grids.boxArray().complementIn(amrex::shift(box, shift)))
                        if (part.ok()) still.push_back(part.shift(-shift));
                }
                left = still;
            }
            for (const amrex::Box& box : left) {
                guards_.push_back({level, grid.index(), box, count_});
                count_ += static_cast<std::size_t>(box.numPts());
            }
        }
    }

    /// Writes positions and masses, queued on AMReX's stream; masses of particles times `factor`. `softening`: theirs; that of
    /// guard cells is 0.
    void make(const amrex::Vector<amrex::Geometry>& geometry, const std::vector<AmrexParticles>& particles, double factor,
              double softening, bool accelerations) {
        const std::size_t first_particle = count_;
        for (const AmrexParticles& p : particles) count_ += static_cast<std::size_t>(p.count);
        for (auto* const array : {&x_, &y_, &z_, &mass_}) array->resize(count_);
        softening_.resize(softening > 0.0 ? count_ : 0);
        potential_.resize(count_);
        for (auto& array : acceleration_) array.resize(accelerations ? count_ : 0);
        const Masses to{{x_.data(), y_.data(), z_.data()}, mass_.data(), softening > 0.0 ? softening_.data() : nullptr};
        for (const Guards& guards : guards_) place(guards, geometry[guards.level], to);
        std::size_t begin = first_particle;
        for (const AmrexParticles& p : particles) {
            place(p, begin, factor, softening, to);
            begin += static_cast<std::size_t>(p.count);
        }
    }

    [[nodiscard]] Points points() const { return {all_of(x_), all_of(y_), all_of(z_), all_of(mass_), {}, all_of(softening_)}; }
    [[nodiscard]] Fields fields() {
        return {all_of(potential_), {all_of(acceleration_[0]), all_of(acceleration_[1]), all_of(acceleration_[2])}};
    }

    /// Hands out the results, queued on AMReX's stream.
    void store(const std::vector<AmrexParticles>& particles, const amrex::Vector<amrex::MultiFab*>& phi,
               const amrex::Vector<amrex::MultiFab*>& acceleration) {
        std::size_t begin = 0;
        for (const Guards& guards : guards_) {
            store(guards, potential_.data(), phi[guards.level]->array(guards.grid), 0);
            for (int d = 0; d < 3 && !acceleration.empty(); ++d)
                store(guards, acceleration_[static_cast<std::size_t>(d)].data(), acceleration[guards.level]->array(guards.grid),
                      d);
            begin += static_cast<std::size_t>(guards.box.numPts());
        }
        for (const AmrexParticles& p : particles) {
            if (p.potential != nullptr) store(p, potential_.data() + begin, p.potential);
            for (std::size_t d = 0; d < 3; ++d)
                if (p.acceleration[d] != nullptr) store(p, acceleration_[d].data() + begin, p.acceleration[d]);
            begin += static_cast<std::size_t>(p.count);
        }
    }

    /// Guard cells of a grid, from place `begin` of the arrays on.
    struct Guards {
        int level, grid;
        amrex::Box box;
        std::size_t begin;
    };
    struct Masses {
        amrex::GpuArray<double*, 3> position;
        double* mass;
        double* softening;
    };

    static void place(const Guards& guards, const amrex::Geometry& geometry, const Masses& to) {
        const auto low = geometry.ProbLoArray(), high = geometry.ProbHiArray();
        const amrex::GpuArray<double, 3> side{cell_size(geometry, 0), cell_size(geometry, 1), cell_size(geometry, 2)};
        const auto repeats = geometry.isPeriodicArray();
        const amrex::IntVect first = geometry.Domain().smallEnd();
        const amrex::Box box = guards.box;
        const std::size_t begin = guards.begin;
        amrex::ParallelFor(box, [=] AMREX_GPU_DEVICE(int i, int j, int k) {
            const amrex::IntVect cell(i, j, k);
            const std::size_t n = begin + static_cast<std::size_t>(box.index(cell));
            for (int d = 0; d < 3; ++d) {
                const double corner = low[d], period = high[d] - corner, from_corner = (cell[d] - first[d] + 0.5) * side[d];
                to.position[d][n] = corner + (repeats[d] ? from_corner - period * std::floor(from_corner / period) : from_corner);
            }
            to.mass[n] = 0.0;
            if (to.softening != nullptr) to.softening[n] = 0.0;
        });
    }
    static void place(const AmrexParticles& p, std::size_t begin, double factor, double softening, const Masses& to) {
        const amrex::GpuArray<const amrex::ParticleReal*, 3> position{p.position[0], p.position[1], p.position[2]};
        const amrex::ParticleReal* const mass = p.mass;
        const std::ptrdiff_t stride = p.stride;
        amrex::ParallelFor(p.count, [=] AMREX_GPU_DEVICE(amrex::Long i) {
            const std::size_t n = begin + static_cast<std::size_t>(i);
            for (int d = 0; d < 3; ++d) to.position[d][n] = position[d][i * stride];
            to.mass[n] = factor * mass[i * stride];
            if (to.softening != nullptr) to.softening[n] = softening;
        });
    }
    static void store(const Guards& guards, const amrex::Real* results, const amrex::Array4<amrex::Real>& to, int component) {
        const amrex::Box box = guards.box;
        const std::size_t begin = guards.begin;
        amrex::ParallelFor(box, [=] AMREX_GPU_DEVICE(int i, int j, int k) {
            to(i, j, k, component) = results[begin + static_cast<std::size_t>(box.index(amrex::IntVect(i, j, k)))];
        });
    }
    static void store(const AmrexParticles& p, const amrex::Real* results, amrex::ParticleReal* to) {
        const std::ptrdiff_t stride = p.stride;
        amrex::ParallelFor(
            p.count, [=] AMREX_GPU_DEVICE(amrex::Long i) { to[i * stride] = static_cast<amrex::ParticleReal>(results[i]); });
    }

private:
    using Doubles = amrex::Gpu::DeviceVector<double>;
    using Reals = amrex::Gpu::DeviceVector<amrex::Real>;

    static InputSpan all_of(const Doubles& array) { return {InputPointer(array.data()), array.size()}; }
    static ResultSpan all_of(Reals& array) { return {ResultPointer(array.data()), array.size()}; }

    std::vector<Guards> guards_;
    std::size_t count_ = 0;
    Doubles x_, y_, z_, mass_, softening_;
    Reals potential_;
    std::array<Reals, 3> acceleration_;
};

}  // namespace gravlet
