// SPDX-License-Identifier: Apache-2.0
// gravlet for Kokkos codes with packs of MeshBlocks, such as AthenaK: potential and acceleration of the density in their arrays.
// C++17 over the C interface: it includes neither C++20 headers of gravlet nor Kokkos. docs/athenak.md tells how AthenaK uses it.
//
//     gravlet::MeshBlockSolver solver(MPI_COMM_WORLD, domain, threads);  // in the host's constructor: nothing is made yet
//     solver.set_options([&](const char* name, std::string& text) { ... });
//     solver.solve(G, mesh, pack, [&](std::int64_t m) { return place_of_block(m); });
#pragma once

#include <gravlet_meshblock_pack.hpp>

#include <gravlet/gravlet.h>

#include <mpi.h>

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

/// What MeshBlockSolver throws: the same on every rank, and the solver can be used afterwards.
class MeshBlockError : public std::runtime_error {
public:
    MeshBlockError(int code, const std::string& message) : std::runtime_error("gravlet: " + message), code_(code) {}
    [[nodiscard]] int code() const noexcept { return code_; }  ///< a gravlet_error

private:
    int code_;
};

/// A solver on a host's MeshBlocks. The arrays stay the host's: they are read and written where they are, during solve() alone.
class MeshBlockSolver {
public:
    /// Local. `threads`: how many a rank, where the option threads does not say; 0: gravlet's own choice. A host whose ranks work
    /// with one (Kokkos::Serial) says 1, or better Kokkos::DefaultHostExecutionSpace().concurrency().
    MeshBlockSolver(MPI_Comm comm, const MeshBlockDomain& domain, int threads = 0) : comm_(comm) {
        gravlet_options_init(&defaults_);
        defaults_.threads = threads;
        bool repeats = false;
        for (std::size_t d = 0; d < 3; ++d) {
            defaults_.boundary[d] = domain.periodic[d] ? GRAVLET_PERIODIC : GRAVLET_ISOLATED;
            defaults_.domain_lower[d] = domain.lower[d];
            defaults_.domain_upper[d] = domain.upper[d];
            repeats = repeats || domain.periodic[d];
        }
        defaults_.has_domain = repeats;  // open space has no box: guard cells lie beyond it
        options_ = defaults_;
    }
    /// Collective while MPI runs. A MeshBlockSolver may outlive MPI_Finalize.
    ~MeshBlockSolver() { gravlet_destroy(&solver_); }
    MeshBlockSolver(const MeshBlockSolver&) = delete;
    MeshBlockSolver& operator=(const MeshBlockSolver&) = delete;

    /// Collective. Options by name. `value_of(name, text)` says whether the host's input has that name, and its text. It is asked
    /// for gravlet's own names alone, less G, boundary and domain, so what else is in the input is the host's. Where a text is
    /// refused, options are what they were; ranges are looked at when the next solve() makes the solver anew.
    template <class ValueOf>
    void set_options(ValueOf&& value_of) {
        gravlet_options options = defaults_;
        std::deque<std::string> texts;  // that of ewald_cache is read when the solver is made
        std::string refused;
        for (std::int32_t index = 0; index < gravlet_option_count(); ++index) {
            gravlet_option_info info{};
            gravlet_get_option_info(index, &info);
            const std::string name = info.name;
            if (name == "G" || name == "boundary" || name == "domain") continue;
            std::string text;
            if (!value_of(info.name, text)) continue;
            texts.push_back(text);
            if (gravlet_set_option(&options, info.name, texts.back().c_str()) != GRAVLET_SUCCESS && refused.empty())
                refused = gravlet_error_message();
        }
        throw_if_any(refused);
        texts_.swap(texts);
        options_ = options;
        gravlet_destroy(&solver_);
    }

    /// Collective. The fields that `pack` has room for, of its density, with this G. `place(m)`, a MeshBlockPlace, is called for
    /// each block where `mesh`, a counter that the host changes with its mesh, or the pack's memory is another than last time.
    /// What writes the density on a device has ended before (Kokkos::fence()); results are there on return. Throws
    /// MeshBlockError.
    template <class Real, class Place>
    void solve(double G, std::int64_t mesh, const MeshBlockPack<Real>& pack, Place&& place) {
        make(G);
        if (const char* const wrong = flaw(pack)) {  // on this rank, perhaps: the others are told by the same call
            check(gravlet_abandon(solver_, wrong));
            return;
        }
        std::vector<std::intptr_t> signature = pack.signature();
        if (!listed_ || mesh != mesh_ || signature != signature_) {
            listed_ = false;
            blocks_.clear();
            for (std::int64_t m = 0; m < pack.blocks; ++m) blocks_.push_back(block(pack, place(m), m));
            mesh_ = mesh;
            signature_ = std::move(signature);
            listed_ = true;
        }
        check(
            gravlet_solve_blocks(solver_, static_cast<std::int64_t>(blocks_.size()), blocks_.data(), nullptr, nullptr, nullptr));
    }

    /// Collective. What a tolerance has learned, for a checkpoint; empty before the first solve.
    [[nodiscard]] std::vector<double> steering() const {
        std::vector<double> state;
        if (solver_ == nullptr) return state;
        state.resize(GRAVLET_STEERING_SIZE);
        check(gravlet_get_steering(solver_, state.data()));
        return state;
    }
    /// Local. What steering() gave before a restart, for the solver that the next solve() makes.
    void set_steering(std::vector<double> state) { steering_ = std::move(state); }

    /// Local. The solver of the C interface, for reports and whatever else gravlet.h has; null before the first solve().
    [[nodiscard]] gravlet_solver* get() const noexcept { return solver_; }
    /// Local. The report of the last solve, a table for people.
    [[nodiscard]] std::string report() const { return solver_ == nullptr ? "" : gravlet_report_text(solver_); }

private:
    static void check(int code) {
        if (code != GRAVLET_SUCCESS) throw MeshBlockError(code, gravlet_error_message());
    }

    /// Collective. Throws, on every rank, the message of the first rank that has one.
    void throw_if_any(std::string message) const {
        int rank = 0, first = 0, length = static_cast<int>(message.size());
        MPI_Comm_rank(comm_, &rank);
        const int mine = message.empty() ? INT_MAX : rank;
        MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm_);
        if (first == INT_MAX) return;
        MPI_Bcast(&length, 1, MPI_INT, first, comm_);
        message.resize(static_cast<std::size_t>(length));
        MPI_Bcast(message.data(), length, MPI_CHAR, first, comm_);
        throw MeshBlockError(GRAVLET_INVALID_OPTION, message);
    }

    /// Collective. The first solve makes the solver, with what the host has set by then; later ones hand over another G.
    void make(double G) {
        if (solver_ == nullptr) {
            options_.G = G;
            check(gravlet_create(comm_, &options_, &solver_));
            if (steering_.size() == GRAVLET_STEERING_SIZE) {
                const std::vector<double> state = std::exchange(steering_, {});
                check(gravlet_set_steering(solver_, state.data()));
            }
        } else if (!(G == options_.G)) {
            check(gravlet_set_G(solver_, G));
            options_.G = G;
        }
    }

    /// What the C interface cannot say of a pack, or null.
    template <class Real>
    static const char* flaw(const MeshBlockPack<Real>& pack) {
        int components = 0;
        for (const auto& field : pack.acceleration) {
            if (field.first == nullptr) continue;
            ++components;
            const MeshBlockField<Real>& other = pack.potential.first != nullptr ? pack.potential : pack.acceleration[0];
            if (field.stride != other.stride)
                return "MeshBlockPack: acceleration has other strides in a block than the other results";
        }
        return components == 1 || components == 2 ? "MeshBlockPack: acceleration has all three components or none" : nullptr;
    }

    template <class Real>
    static gravlet_block block(const MeshBlockPack<Real>& pack, const MeshBlockPlace& place, std::int64_t m) {
        static_assert(sizeof(Real) == sizeof(float) || sizeof(Real) == sizeof(double), "float or double");
        gravlet_block out{};
        out.floats = sizeof(Real) == sizeof(float) ? GRAVLET_FLOAT_MASSES + GRAVLET_FLOAT_RESULTS : 0;
        const MeshBlockField<Real>& result = pack.potential.first != nullptr ? pack.potential : pack.acceleration[0];
        for (std::size_t d = 0; d < 3; ++d) {
            out.lower[d] = place.lower[d];
            out.cell_size[d] = place.cell_size[d];
            out.n[d] = pack.cells[d];
            out.stride[d] = pack.density.stride[d];
            out.result_stride[d] = result.stride[d];
            out.result_guards[d] = pack.guards;
            put(out.acceleration[d], out.acceleration_f[d], at(pack.acceleration[d], m));
            put(out.face_acceleration[d], out.face_acceleration_f[d], at(pack.face_acceleration[d], m));
            for (std::size_t axis = 0; axis < 3; ++axis) out.face_stride[d][axis] = pack.face_acceleration[d].stride[axis];
        }
        put(out.density, out.density_f, at(pack.density, m));
        put(out.potential, out.potential_f, at(pack.potential, m));
        return out;
    }

    template <class Real>
    static Real* at(const MeshBlockField<Real>& field, std::int64_t m) {
        return field.first == nullptr ? nullptr : field.first + static_cast<std::ptrdiff_t>(m) * field.block;
    }
    template <class Double, class Float>
    static void put(Double*& doubles, Float*&, Double* address) {
        doubles = address;
    }
    template <class Double, class Float>
    static void put(Double*&, Float*& floats, Float* address) {
        floats = address;
    }

    MPI_Comm comm_;
    gravlet_options defaults_{}, options_{};
    std::deque<std::string> texts_;
    std::vector<double> steering_;
    gravlet_solver* solver_ = nullptr;
    std::vector<gravlet_block> blocks_;
    std::vector<std::intptr_t> signature_;  ///< the pack of the listed blocks
    std::int64_t mesh_ = 0;
    bool listed_ = false;  ///< blocks_ are all of the last solve's
};

}  // namespace gravlet
