// SPDX-License-Identifier: Apache-2.0
// A C++17 host that keeps its MeshBlocks as AthenaK does, with what the adapter needs of a Kokkos::View in place of Kokkos.
#pragma once

#include <gravlet_meshblocks.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gravlet::test {

enum class Layout { right, left };

/// Kokkos::View of five dimensions (m, n, k, j, i), or of four, in host memory. Copies are of the same memory, as Kokkos's are.
template <class Real>
class View {
public:
    View() = default;
    View(Layout layout, const std::vector<int>& extents, Real value) {
        step_.resize(extents.size());
        std::size_t size = 1;
        for (std::size_t at = 0; at < extents.size(); ++at) {
            const std::size_t d = layout == Layout::right ? extents.size() - 1 - at : at;
            step_[d] = size;
            size *= static_cast<std::size_t>(extents[d]);
        }
        values_ = std::make_shared<std::vector<Real>>(size, value);
    }
    Real* data() const { return values_ == nullptr || values_->empty() ? nullptr : values_->data(); }
    std::size_t stride(int d) const { return step_[static_cast<std::size_t>(d)]; }
    template <class... Index>
    Real& operator()(Index... index) const {
        std::size_t at = 0, d = 0;
        for (const int i : {index...}) at += static_cast<std::size_t>(i) * step_[d++];
        return (*values_)[at];
    }

private:
    std::vector<std::size_t> step_;
    std::shared_ptr<std::vector<Real>> values_;
};

/// What a run's parameter file has in <gravity>: gravlet's names and the host's own.
using Input = std::map<std::string, std::string>;

/// What PackHost asks for beside the potential.
struct Wanted {
    bool potential = true, acceleration = false, faces = false;
    int guards = 0;
};

/// The blocks of one rank and their gravity.
template <class Real>
class PackHost {
public:
    static constexpr int ng = 2, variables = 3, density = 1;  ///< of u; the density is not the first

    PackHost(const MeshBlockDomain& domain, int threads) : gravity(MPI_COMM_WORLD, domain, threads) {}

    /// Arrays anew, as after refinement. Whatever gravlet may neither read nor write is NaN.
    void allocate(Layout layout, int blocks, const std::array<int, 3>& cells);
    /// Of these blocks, all NaN.
    View<Real> array(Layout layout, int fields) const;
    /// Collective.
    void read_options(const Input& input);
    /// Collective.
    void solve(double G, std::int64_t mesh, const std::vector<MeshBlockPlace>& places, const Wanted& wanted);

    MeshBlockSolver gravity;
    View<Real> u, phi, acceleration;
    std::array<View<Real>, 3> faces;
    std::array<int, 3> n{};
    int blocks = 0;
    int listed = 0;                  ///< how many places were asked for
    int components = 3;              ///< of the acceleration; fewer are wrong
    std::vector<std::string> asked;  ///< names of options
};

}  // namespace gravlet::test
