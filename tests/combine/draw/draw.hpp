// SPDX-License-Identifier: Apache-2.0
// A case from a seed: its space first, then what is in it, then how it is solved and handed over.
#pragma once

#include "tests/combine/case.hpp"
#include "tests/combine/random.hpp"

namespace gravlet::combine {

Case draw(std::uint64_t seed, int ranks, Backend backend);

/// What the units of length and mass are, and where bodies may be.
struct Space {
    double unit = 1.0, mass = 1.0;
    std::array<bool, 3> periodic{};
    Vector lower{}, upper{};
    bool neat = false;  ///< corners and unit are held by floats, whatever is halved
    [[nodiscard]] double side(std::size_t axis) const { return upper[axis] - lower[axis]; }
    [[nodiscard]] bool any_periodic() const { return periodic[0] || periodic[1] || periodic[2]; }
    [[nodiscard]] double shortest_period() const;
};

Space draw_units(Random& random);
/// The space of points alone.
void draw_box(Random& random, Space& space);
/// Cells, or blocks, and their space.
Bodies draw_mesh(Random& random, Space& space, bool blocks);
std::vector<Point> draw_points(Random& random, const Space& space, int most);
/// Some points onto faces, or a rounding beside them.
void draw_faces(Random& random, const Space& space, Case& c);
/// Isolated points may be anywhere: some far outside the mesh or domain.
void draw_strays(Random& random, const Space& space, Case& c);
/// Places anywhere, on bodies, too; and who asks for them.
void draw_probes(Random& random, const Space& space, Case& c);
/// Planes of symmetry, of isolated cases.
void draw_mirror(Random& random, const Space& space, Case& c);
/// A shear, of cases that are periodic in x and y.
void draw_shear(Random& random, const Space& space, Case& c);
void draw_options(Random& random, const Space& space, Case& c);
void draw_broken_option(Random& random, Case& c);
/// Whose results are wanted: of all, some, one, none.
void draw_active(Random& random, int ranks, Bodies& bodies);
/// Who holds what.
void draw_ranks(Random& random, Case& c);
void draw_layout(Random& random, const Space& space, Case& c);

/// One of several ways to give masses.
class Masses {
public:
    Masses(Random& random, double unit) : random_(random), unit_(unit), way_(random.whole(0, 5)), zeros_(random.chance(0.2)) {}
    double next() {
        if (zeros_ && random_.chance(0.3)) return 0.0;
        switch (way_) {
            case 0: return unit_;
            case 1: return unit_ * random_.wide(1e-6, 1e6);
            case 2: return unit_ * (random_.chance(0.05) ? 1e6 : random_.uniform());
            default: return unit_ * random_.uniform(0.1, 1.1);
        }
    }

private:
    Random& random_;
    double unit_;
    int way_;
    bool zeros_;
};

}  // namespace gravlet::combine
