// SPDX-License-Identifier: Apache-2.0
#include "hydro.hpp"

#include <cstdlib>

namespace core_collapse {

namespace {

constexpr int guards = 2, width = n + 2 * guards;
constexpr double courant = 0.8;

using Faces = std::array<std::array<Gas, n * n>, 6>;  // 2 axis + side: fluxes through a block's faces

std::size_t on_face(int a, int b) { return static_cast<std::size_t>(b * n + a); }

/// The cell of a block's layer that has these two places in the directions after the axis.
Index3 in_layer(std::size_t axis, int layer, int a, int b) {
    Index3 cell;
    cell[axis] = layer, cell[(axis + 1) % 3] = a, cell[(axis + 2) % 3] = b;
    return cell;
}

/// The logarithm of a cell's density and its velocity in the middle of the step, and how they change across it. (Gas that is held
/// by its pressure falls off by powers, and whatever the slope, density is more than 0.)
struct Middle {
    Gas gas;
    std::array<Gas, 3> slope;

    [[nodiscard]] Gas at_face(std::size_t axis, double side) const {
        Gas out = gas;
        for (std::size_t f = 0; f < 4; ++f) out[f] += 0.5 * side * slope[axis][f];
        out[0] = std::exp(out[0]);
        return out;
    }
};

/// A block with what is around it, but for corners: logarithms of densities, and velocities.
class Padded {
public:
    void fill(const Mesh& mesh, const Leaf& leaf) {
        for (int k = -guards; k < n + guards; ++k)
            for (int j = -guards; j < n + guards; ++j)
                for (int i = -guards; i < n + guards; ++i) {
                    const auto out = [](int index) { return index < 0 || index >= n ? 1 : 0; };
                    const int far = out(i) + out(j) + out(k);
                    if (far == 3) continue;
                    const Index3 cell{i, j, k}, there{leaf.first[0] + i, leaf.first[1] + j, leaf.first[2] + k};
                    Gas gas = far == 0 ? gas_at(*leaf.gas, offset(cell)) : mesh.sample(leaf.level, there);
                    for (std::size_t f = 1; f < 4; ++f) gas[f] /= gas[0];
                    gas[0] = std::log(gas[0]);
                    if (far > 0 && !mesh.periodic()) let_out_only(there, n << leaf.level, gas);
                    at(cell) = gas;
                }
    }
    [[nodiscard]] const Gas& at(const Index3& cell) const { return gas_[place(cell)]; }

    /// The step's first half, by the cell's own slopes.
    [[nodiscard]] Middle middle(const Index3& cell, const Medium& medium, double dt_over_h) const {
        const Gas& w = at(cell);
        Middle out{w, {}};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Index3 left = cell, right = cell;
            --left[axis], ++right[axis];
            const Gas &a = at(left), &b = at(right);
            for (std::size_t f = 0; f < 4; ++f) out.slope[axis][f] = limited_slope(a[f], w[f], b[f]);
            out.slope[axis][0] = std::clamp(out.slope[axis][0], -1.0, 1.0);  // no more flows out than is there
        }
        const double push = medium.sound_squared(std::exp(w[0]));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (std::size_t f = 0; f < 4; ++f) out.gas[f] -= 0.5 * dt_over_h * w[axis + 1] * out.slope[axis][f];
            out.gas[0] -= 0.5 * dt_over_h * out.slope[axis][axis + 1];
            out.gas[axis + 1] -= 0.5 * dt_over_h * push * out.slope[axis][0];
        }
        return out;
    }

private:
    static std::size_t place(const Index3& cell) {
        return static_cast<std::size_t>(((cell[2] + guards) * width + cell[1] + guards) * width + cell[0] + guards);
    }
    [[nodiscard]] Gas& at(const Index3& cell) { return gas_[place(cell)]; }

    /// Nothing comes from outside the box.
    static void let_out_only(const Index3& there, int side, Gas& gas) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (there[axis] < 0) gas[axis + 1] = std::min(gas[axis + 1], 0.0);
            if (there[axis] >= side) gas[axis + 1] = std::max(gas[axis + 1], 0.0);
        }
    }

    std::vector<Gas> gas_ = std::vector<Gas>(width * width * width);
};

/// The middles of a block's cells and of those behind its faces.
class Middles {
public:
    void fill(const Padded& padded, const Medium& medium, double dt_over_h) {
        for (int k = -1; k <= n; ++k)
            for (int j = -1; j <= n; ++j)
                for (int i = -1; i <= n; ++i) {
                    const auto out = [](int index) { return index < 0 || index >= n ? 1 : 0; };
                    if (out(i) + out(j) + out(k) < 2) middle_[place({i, j, k})] = padded.middle({i, j, k}, medium, dt_over_h);
                }
    }
    [[nodiscard]] Gas flux_below(const Index3& cell, std::size_t axis, const Medium& medium) const {
        Index3 below = cell;
        --below[axis];
        return flux(middle_[place(below)].at_face(axis, 1.0), middle_[place(cell)].at_face(axis, -1.0), axis, medium);
    }

private:
    static std::size_t place(const Index3& cell) {
        return static_cast<std::size_t>(((cell[2] + 1) * (n + 2) + cell[1] + 1) * (n + 2) + cell[0] + 1);
    }
    std::vector<Middle> middle_ = std::vector<Middle>((n + 2) * (n + 2) * (n + 2));
};

void add(GasFields& gas, const Index3& cell, double share, const Gas& what) {
    for (std::size_t f = 0; f < 4; ++f) gas[f][offset(cell)] += share * what[f];
}

/// Adds what flows between a block's cells, and through its faces, which is kept.
void add_fluxes(const Middles& middles, const Medium& medium, double dt_over_h, GasFields& gas, Faces& faces) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (int layer = 0; layer <= n; ++layer)
            for (int b = 0; b < n; ++b)
                for (int a = 0; a < n; ++a) {
                    const Gas through = middles.flux_below(in_layer(axis, layer, a, b), axis, medium);
                    if (layer > 0) add(gas, in_layer(axis, layer - 1, a, b), -dt_over_h, through);
                    if (layer < n) add(gas, in_layer(axis, layer, a, b), dt_over_h, through);
                    if (layer == 0) faces[2 * axis][on_face(a, b)] = through;
                    if (layer == n) faces[2 * axis + 1][on_face(a, b)] = through;
                }
}

/// The mean flux of the four finer cells' faces that make up this one.
Gas mean_of_fine(const Mesh& mesh, const std::vector<Faces>& faces, int level, const Index3& beyond, std::size_t axis, int side) {
    Gas mean{};
    for (int c = 0; c < 4; ++c) {
        Index3 fine{2 * beyond[0], 2 * beyond[1], 2 * beyond[2]};
        fine[axis] += 1 - side, fine[(axis + 1) % 3] += c & 1, fine[(axis + 2) % 3] += c >> 1;
        const Leaf& leaf = *mesh.find(level + 1, fine);
        const Gas& part = faces[leaf.number][2 * axis + 1 - static_cast<std::size_t>(side)]
                               [on_face(fine[(axis + 1) % 3] % n, fine[(axis + 2) % 3] % n)];
        for (std::size_t f = 0; f < 4; ++f) mean[f] += 0.25 * part[f];
    }
    return mean;
}

/// Puts finer neighbours' fluxes in the place of a leaf's own. Returns what left the box through the leaf's faces, a time and
/// area.
Gas match_fluxes(const Mesh& mesh, const std::vector<Faces>& faces, const Leaf& leaf, double dt_over_h) {
    Gas left{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const double outwards = side == 0 ? -1.0 : 1.0;
            for (int b = 0; b < n; ++b)
                for (int a = 0; a < n; ++a) {
                    const Gas& own = faces[leaf.number][2 * axis + static_cast<std::size_t>(side)][on_face(a, b)];
                    Index3 beyond = in_layer(axis, side == 0 ? -1 : n, a, b);
                    for (std::size_t d = 0; d < 3; ++d) beyond[d] += leaf.first[d];
                    if (!mesh.periodic() && mesh.is_outside(leaf.level, beyond)) {
                        for (std::size_t f = 0; f < 4; ++f) left[f] += outwards * own[f];
                        continue;
                    }
                    beyond = mesh.into_box(leaf.level, beyond);
                    const Index3 coarse{beyond[0] / 2, beyond[1] / 2, beyond[2] / 2};
                    if (mesh.find(leaf.level, beyond) || (leaf.level > 0 && mesh.find(leaf.level - 1, coarse))) continue;
                    Gas more = mean_of_fine(mesh, faces, leaf.level, beyond, axis, side);
                    for (std::size_t f = 0; f < 4; ++f) more[f] -= own[f];
                    add(*leaf.gas, in_layer(axis, side == 0 ? 0 : n - 1, a, b), -outwards * dt_over_h, more);
                }
        }
    return left;
}

/// Gives cells that were emptied the least density, at rest. Returns what they had before, less what they have now, a volume.
Gas fill_up(const Leaf& leaf, double least) {
    Gas lost{};
    for (std::size_t i = 0; i < block_cells; ++i) {
        const Gas gas = gas_at(*leaf.gas, i);
        if (!(gas[0] < least)) continue;
        for (std::size_t f = 0; f < 4; ++f) {
            (*leaf.gas)[f][i] = f == 0 ? least : 0.0;
            lost[f] += gas[f] - (*leaf.gas)[f][i];
        }
    }
    return lost;
}

}  // namespace

double longest_step(const Mesh& mesh, const Medium& medium) {
    double rate = 0.0;
    for (const Leaf& leaf : mesh.leaves())
        for (std::size_t i = 0; i < block_cells; ++i) {
            const Gas gas = gas_at(*leaf.gas, i);
            const double speeds = (std::abs(gas[1]) + std::abs(gas[2]) + std::abs(gas[3])) / gas[0];
            rate = std::max(rate, (speeds + 3.0 * std::sqrt(medium.sound_squared(gas[0]))) / leaf.cell_size());
        }
    MPI_Allreduce(MPI_IN_PLACE, &rate, 1, MPI_DOUBLE, MPI_MAX, mesh.comm());
    return courant / rate;
}

Gas flow(Mesh& mesh, const Medium& medium, double dt) {
    mesh.share_gas();
    std::vector<Faces> faces(mesh.leaves().size());
    std::vector<GasFields> after;
    Padded padded;
    Middles middles;
    for (const Leaf& leaf : mesh.leaves()) {
        padded.fill(mesh, leaf);
        middles.fill(padded, medium, dt / leaf.cell_size());
        after.push_back(*leaf.gas);
        add_fluxes(middles, medium, dt / leaf.cell_size(), after.back(), faces[leaf.number]);
    }
    for (const Leaf& leaf : mesh.leaves()) *leaf.gas = after[leaf.number];
    mesh.share(faces);
    Gas left{};
    for (const Leaf& leaf : mesh.leaves()) {
        const double h = leaf.cell_size();
        const Gas out = match_fluxes(mesh, faces, leaf, dt / h), lost = fill_up(leaf, medium.least_density);
        for (std::size_t f = 0; f < 4; ++f) left[f] += dt * h * h * out[f] + leaf.volume() * lost[f];
    }
    MPI_Allreduce(MPI_IN_PLACE, left.data(), 4, MPI_DOUBLE, MPI_SUM, mesh.comm());
    return left;
}

}  // namespace core_collapse
