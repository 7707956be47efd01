// SPDX-License-Identifier: Apache-2.0
// Compiled as C++17 with gravlet::kokkos alone.
#include "host.hpp"

#include <limits>

static_assert(__cplusplus < 202002L, "gravlet::kokkos must leave a C++17 host its standard");

namespace gravlet::test {

template <class Real>
void PackHost<Real>::allocate(Layout layout, int number, const std::array<int, 3>& cells) {
    const Real nothing = std::numeric_limits<Real>::quiet_NaN();
    n = cells;
    blocks = number;
    u = array(layout, variables), phi = array(layout, 1), acceleration = array(layout, 3);
    for (int d = 0; d < 3; ++d)
        faces[static_cast<std::size_t>(d)] =
            View<Real>(layout, {blocks, n[2] + 2 * ng + (d == 2), n[1] + 2 * ng + (d == 1), n[0] + 2 * ng + (d == 0)}, nothing);
}

template <class Real>
View<Real> PackHost<Real>::array(Layout layout, int fields) const {
    return {layout, {blocks, fields, n[2] + 2 * ng, n[1] + 2 * ng, n[0] + 2 * ng}, std::numeric_limits<Real>::quiet_NaN()};
}

template <class Real>
void PackHost<Real>::read_options(const Input& input) {
    asked.clear();
    gravity.set_options([&](const char* name, std::string& text) {
        asked.push_back(name);
        const auto found = input.find(name);
        if (found != input.end()) text = found->second;
        return found != input.end();
    });
}

template <class Real>
void PackHost<Real>::solve(double G, std::int64_t mesh, const std::vector<MeshBlockPlace>& places, const Wanted& wanted) {
    const std::array<int, 3> interior{ng, ng, ng};
    MeshBlockPack<Real> pack;
    pack.blocks = blocks;
    pack.cells = n;
    pack.guards = wanted.guards;
    pack.density = meshblock_field(u, density, interior);
    if (wanted.potential) pack.potential = meshblock_field(phi, 0, interior);
    for (int d = 0; d < 3; ++d) {
        const auto axis = static_cast<std::size_t>(d);
        if (wanted.acceleration && d < components) pack.acceleration[axis] = meshblock_field(acceleration, d, interior);
        if (wanted.faces) pack.face_acceleration[axis] = meshblock_field(faces[axis], interior);
    }
    listed = 0;
    gravity.solve(G, mesh, pack, [&](std::int64_t m) {
        ++listed;
        return places[static_cast<std::size_t>(m)];
    });
}

template class PackHost<float>;
template class PackHost<double>;

}  // namespace gravlet::test
