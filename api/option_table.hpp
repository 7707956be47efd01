// SPDX-License-Identifier: Apache-2.0
// All that is said of options one by one, but for their defaults and what they do in full (gravlet/options.hpp).
#pragma once

#include "physics/limits.hpp"
#include "physics/precise/full_moments.hpp"
#include "physics/virtual_root.hpp"

#include <gravlet/options.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace gravlet {

/// The words of an enum's values, in their order.
template <class E>
inline constexpr std::array<const char*, 0> words_for = {};
// [generated: words] scripts/generate, api/schema
template <>
inline constexpr std::array words_for<Backend> = {"auto", "cpu", "gpu"};
template <>
inline constexpr std::array words_for<GpuSharing> = {"auto", "share", "gather"};
template <>
inline constexpr std::array words_for<Boundary> = {"isolated", "periodic", "mirror_lower", "mirror_upper"};
template <>
inline constexpr std::array words_for<PeriodicMethod> = {"images", "table"};
template <>
inline constexpr std::array words_for<Background> = {"auto", "keep", "contrast"};
template <>
inline constexpr std::array words_for<SofteningKernel> = {"plummer", "spline"};
template <>
inline constexpr std::array words_for<Criterion> = {"auto", "opening", "acceleration", "multipole"};
template <>
inline constexpr std::array words_for<NearCells> = {"point", "cuboid"};
template <>
inline constexpr std::array words_for<UniformMesh> = {"auto", "tree", "convolution"};
template <>
inline constexpr std::array words_for<ActiveBits> = {"any", "same"};
template <>
inline constexpr std::array words_for<Precision> = {"single", "double"};
template <>
inline constexpr std::array words_for<ErrorOf> = {"auto", "potential", "acceleration"};
template <>
inline constexpr std::array words_for<ErrorMeasure> = {"p99", "p999", "p9999", "rms"};
// [/generated]

/// A number outside of the range that stands for something else. "auto" is how it is set and shown, too.
struct Special {
    double value = 0.0;
    std::string_view meaning{};  ///< empty: there is none

    [[nodiscard]] constexpr bool is_automatic() const { return meaning == "auto"; }
};

struct Range {
    double lowest = -std::numeric_limits<double>::infinity();
    double highest = std::numeric_limits<double>::infinity();
    std::array<Special, 2> specials{};
};

/// An option that is the path of a file.
struct Path {
    std::string Options::*member;
};

using Boundaries = std::array<Boundary, 3>;
// [generated: types] scripts/generate, api/schema
// clang-format off
using Member = std::variant<
    Backend Options::*,
    GpuSharing Options::*,
    std::array<Boundary, 3> Options::*,
    double Options::*,
    int Options::*,
    Precision Options::*,
    Criterion Options::*,
    ErrorOf Options::*,
    ErrorMeasure Options::*,
    bool Options::*,
    NearCells Options::*,
    SofteningKernel Options::*,
    std::optional<Box> Options::*,
    Background Options::*,
    PeriodicMethod Options::*,
    Path,
    std::int64_t Options::*,
    std::uint64_t Options::*,
    ActiveBits Options::*,
    UniformMesh Options::*>;
// clang-format on
// [/generated]

struct OptionEntry {
    const char* name;
    Member member;
    Range range;
    const char* help;
};

// [generated: options] scripts/generate, api/schema
// clang-format off
inline constexpr auto option_table = std::to_array<OptionEntry>({
    {"backend", &Options::backend, {},
     "What solves; auto: the GPU where every rank has one that can be used, else the CPU."},
    {"gpu_sharing", &Options::gpu_sharing, {},
     "How several ranks use one GPU: each by itself, or one of them for all; auto: gather where ranks outnumber GPUs."},
    {"boundary", &Options::boundary, {},
     "What is beyond the domain, in all directions or in x, y and z: nothing, its repetitions, or its mirror image; but for nothing it needs a domain."},
    {"theta", &Options::theta, {0.1, 1.0, {{{0.0, "direct sum"}, {automatic, "auto"}}}},
     "Opening angle; smaller is more accurate and slower. auto: 0.8, with order 4 1.0; few bodies on a GPU: none, all act on all."},
    {"order", &Options::order, {0, max_full_order, {{{automatic, "auto"}}}},
     "Multipole order of nodes; above 4 with precision double. auto: 2 for potentials alone, 4 with accelerations."},
    {"precision", &Options::precision, {},
     "The precision of a solve's sums. double: 1e-10 and better, at a small theta and a high order, for several times the time."},
    {"criterion", &Options::criterion, {},
     "When a node acts as one; auto: opening, or with a tolerance what is cheaper."},
    {"alpha", &Options::alpha, {1e-12, 100.0, {{{automatic, "auto"}}}},
     "What theta is to opening, to the other criteria: a node's bound over what acts on its targets."},
    {"tolerance", &Options::tolerance, {1e-06, 0.1, {{{0.0, "none"}}}},
     "Relative error that solves are to have, in place of theta, order and alpha."},
    {"tolerance_of", &Options::tolerance_of, {},
     "The field whose error the tolerance is; auto: the acceleration where it is wanted."},
    {"tolerance_at", &Options::tolerance_at, {},
     "Which error of all targets the tolerance is for."},
    {"tolerance_effort", &Options::tolerance_effort, {1, 100},
     "The most walks that one solve may take to keep the tolerance."},
    {"G", &Options::G, {smallest_G, largest_G},
     "The gravitational constant, in the caller's units."},
    {"self_potential", &Options::self_potential, {},
     "Whether a cell adds its own potential, that of a homogeneous cuboid."},
    {"near_cells", &Options::near_cells, {},
     "What cells are to targets within about a side and a half: points, or homogeneous cuboids."},
    {"acting_classes", &Options::acting_classes, {1, 255},
     "Classes of sources that act: 1 for class 0, 2 for class 1, 4 for class 2, ..., added up."},
    {"softening_kernel", &Options::softening_kernel, {},
     "What softening makes of 1/r."},
    {"softening", &Options::softening, {smallest_length, largest_length, {{{0.0, "none"}}}},
     "Softening length of points that bring none of their own."},
    {"domain", &Options::domain, {},
     "The box in which all cells must lie, its lower and upper corner; none: what the cells cover."},
    {"background", &Options::background, {},
     "What cells that fill a box, periodic in all directions, do without; auto: nearly their least density, which the report has; keep: nothing; contrast: the same as auto, and densities may be negative."},
    {"wrap", &Options::wrap, {},
     "Whether points beyond a periodic box act from, and feel, where they are in it; false: they are an error."},
    {"shear", &Options::shear, {-largest_length, largest_length},
     "Displacement in y of the box's image one period up in x: a sheared box, periodic in x and y."},
    {"periodic_method", &Options::periodic_method, {},
     "How a box's images are added: nearest ones by the tree and the rest as one smooth function, or, to check by, pair by pair from a table."},
    {"ewald_nodes", &Options::ewald_nodes, {4, 64},
     "Nodes of the Ewald table (periodic_method: table) along half of the box's shortest periodic side."},
    {"ewald_order", &Options::ewald_order, {2, 5},
     "Degree of the Ewald table's polynomials."},
    {"ewald_cache", Path{&Options::ewald_cache}, {},
     "HDF5 file in which the Ewald table is kept between runs."},
    {"keep_tree", &Options::keep_tree, {},
     "A rank whose bodies are where they were keeps its order and tree."},
    {"keep_moved", &Options::keep_moved, {},
     "A rank whose points have moved keeps its order and tree as long as that is cheaper."},
    {"redistribute", &Options::redistribute, {},
     "For bodies in no order of space: each rank solves for a stretch of the space-filling curve."},
    {"group_size", &Options::group_size, {16, 1024, {{{0, "auto"}}}},
     "Targets that walk the tree together (GPU: 32 or 64)."},
    {"leaf_size", &Options::leaf_size, {1, 256},
     "A node of so many sources or fewer is not divided."},
    {"virtual_root_boxes", &Options::virtual_root_boxes, {1, max_virtual_root_boxes},
     "Boxes by which a rank tells the others where its targets are."},
    {"threads", &Options::threads, {1, 1024, {{{0, "auto"}}}},
     "OpenMP threads a rank, on GPUs at most 8, and 16 of all ranks of a machine; auto: the cores that it may run on."},
    {"error_samples", &Options::error_samples, {0},
     "So many random targets are compared with the direct sum after each solve."},
    {"error_seed", &Options::error_seed, {0},
     "Which random targets error_samples takes."},
    {"active_bits", &Options::active_bits, {},
     "What bits active targets get: any, for the least time, or the same as in a solve for all."},
    {"check_changed", &Options::check_changed, {},
     "What a host says to have changed since the last solve is compared with what has, as debug builds do."},
    {"uniform_mesh", &Options::uniform_mesh, {},
     "How a mesh of cells of one size is summed: by a convolution, exactly, or by a tree; auto: the former, unless theta and the like are given."},
});
// clang-format on
static_assert(max_full_order == 10);
static_assert(smallest_G == 1e-80);
static_assert(largest_G == 1e+80);
static_assert(smallest_length == 1e-60);
static_assert(largest_length == 1e+60);
static_assert(-largest_length == -1e+60);
static_assert(largest_length == 1e+60);
static_assert(max_virtual_root_boxes == 256);
// [/generated]

}  // namespace gravlet
