// SPDX-License-Identifier: Apache-2.0
// Everything a caller may choose about a solve, with its default in place.
#pragma once

#include <gravlet/export.h>
#include <gravlet/standard.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace gravlet {

// [generated: enums] scripts/generate, api/schema
/// What solves. automatic: the GPU where every rank has one that can be used, else the CPU.
enum class Backend { automatic, cpu, gpu };

/// How several ranks use one GPU. share: each has its own context and solves on its own. gather: one of them solves for all,
/// whose cells reach it through shared memory. automatic: gather where ranks outnumber the machine's GPUs.
enum class GpuSharing { automatic, share, gather };

/// What is beyond the domain in one direction. isolated: nothing. periodic: the box of Options::domain repeats for ever.
/// mirror_lower (mirror_upper): its lower (upper) face is a plane of symmetry, beyond which everything that is before it is once
/// more, mirrored; beyond the other one is nothing.
enum class Boundary { isolated, periodic, mirror_lower, mirror_upper };

/// How a periodic solve adds the images of the box. images: the tree is walked for the nearest ones, and the rest is added once,
/// as a smooth function of the position in the box. table: every target walks on its own, and each interaction is with the
/// nearest image plus a correction from a table of Ewald sums, as in Lukat & Banerjee 2016; a hundred times slower, to check the
/// other by.
enum class PeriodicMethod { images, table };

/// What cells that fill a box periodic in all directions do without, where an even density pulls nobody, and its potential is 0.
/// automatic: the least density, less a 64th of what the mean is above it, is taken off all of them, so that a solve errs
/// relative to what they differ by (Report::background has what was taken). keep: their masses act as they are. contrast: as
/// automatic, and densities may be negative, being what a mean was taken off already; cells that do not fill the box are
/// Error(invalid_input).
enum class Background { automatic, keep, contrast };

/// What softening makes of 1/r, in a pair with a softened point in it. plummer: 1/sqrt(r^2 + softening^2), at every distance.
/// spline: the potential of a mass spread over 2.8 softening lengths as a cubic spline (Monaghan & Lattanzio 1985, as in GADGET;
/// Springel, Yoshida & White 2001), and 1/r beyond. Both are 1/softening at distance zero.
enum class SofteningKernel { plummer, spline };

/// When a node acts as one on targets at a distance d of its centre of mass (docs/algorithm.md).
/// opening: its size over d is small enough (theta), heavy and large ones' smaller.
/// acceleration: the pull that it has if it were as large as it can be, M (l/d)^(n) / d^2 for a side l, is at most alpha times
/// the targets' acceleration (Springel 2005), or M (l/d)^n / d times their potential where only that is wanted. multipole: so is
/// the bound of Salmon & Warren (1994) on what its series leaves out, from its second moment and its extent. n is the degree of
/// the first moments that are left out, order + 1 (order 0: 2, as dipoles vanish).
/// automatic: opening; but with a tolerance for accelerations acceleration where all bodies are points, which is the cheaper
/// there (docs/accuracy.md), and on meshes where it was measured to be.
enum class Criterion { automatic, opening, acceleration, multipole };

/// How a cell acts on cells, guard cells and faces that are near: in each direction within half its side and its longest side
/// (four of its own at most). point: as a mass at its centre, as on all others. cuboid: as the homogeneous cuboid that it is, to
/// rounding. So a uniform medium does not pull where levels of a mesh meet, and phi is one function of space (docs/accuracy.md).
enum class NearCells { point, cuboid };

/// How cells are summed that are all of one size, and fill half of the box around them or more, on one rank (or on ranks that
/// gather on a GPU), without points, faces, probes and near cuboids. convolution: by Fourier transforms, which is the direct sum
/// to rounding; where there is no library for them, a tolerance, a shear, or cells are otherwise, by a tree. auto: so too, unless
/// theta, order or criterion is given, or cells are so few that they act one by one
enum class UniformMesh { automatic, tree, convolution };

/// What bits active targets get. any: those that cost least: active targets walk in groups of their own, so that their last bits
/// hang on who else is active. same: those of a solve for all; groups walk whole if one of their targets is active
/// (docs/algorithm.md).
enum class ActiveBits { any, same };

/// The precision of a solve's sums. single: nodes and most pairs act in single precision: 1e-6 of a result at best
/// (docs/accuracy.md). double: masses, moments and all that acts are in double: 1e-10 and better at a small theta and a high
/// order, for several times the time.
enum class Precision { single, double_ };

/// The field whose error a tolerance is. automatic: the acceleration where it is wanted, else the potential.
enum class ErrorOf { automatic, potential, acceleration };

/// Which of ErrorStatistics a tolerance is for.
enum class ErrorMeasure { p99, p999, p9999, rms };
// [/generated]

/// An axis-aligned box in the caller's length unit.
struct Box {
    std::array<double, 3> lower{};
    std::array<double, 3> upper{};
    friend bool operator==(const Box&, const Box&) = default;
};

/// Value of theta, order and alpha that stands for what suits a solve.
inline constexpr int automatic = -1;

/// Must be equal on every rank. Conventions (sign, G, self term) are stated in docs/algorithm.md: Phi = -G sum m/r < 0,
/// acceleration = -grad Phi, in any consistent units.
struct Options {
    // [generated: options] scripts/generate, api/schema
    Backend backend = Backend::automatic;
    GpuSharing gpu_sharing = GpuSharing::automatic;
    /// Boundaries in x, y and z. With periodic directions `domain` must be given, every body lie in it, and the mean potential is
    /// fixed as docs/algorithm.md says (three periodic directions: zero, mean density subtracted). With planes of symmetry
    /// `domain` must be given, and all other directions be isolated; bodies are before the planes, and each plane doubles a
    /// solve's cost.
    std::array<Boundary, 3> boundary{};
    /// Opening angle of the acceptance criterion d > l/theta + delta: 0.1 to 1.0, or 0 for the direct sum in double precision.
    /// automatic: 0.8, with order 4 1.0; but if order and criterion are automatic too, up to 12,288 isolated points of one rank
    /// on a GPU (1,024 on a CPU; 8,192 and 512 bodies, if there are cells) act on each other one by one, in double precision.
    double theta = automatic;
    /// Multipole order of node interactions: 0 (monopole) to 4, and with precision double to 10. automatic: 2 in a solve for
    /// potentials alone, 4 in one for accelerations, whose errors are larger (docs/accuracy.md says what these pairs keep).
    int order = automatic;
    /// The precision of sums. With double, an order is taken for the even one from it on, and where they are automatic the order
    /// is 10 and theta 0.35, for potentials alone 0.5. Not with a tolerance or periodic_method table.
    Precision precision = Precision::single;
    Criterion criterion = Criterion::automatic;
    /// The limit of criteria other than opening: 1e-12 to 100. automatic: what errs about as theta does (docs/algorithm.md).
    double alpha = automatic;
    /// The relative error (ErrorStatistics) that solves are to have, 1e-6 to 0.1, in place of theta, order and alpha, which must
    /// be automatic then. It is measured against the direct sum at 400 random targets (4,000 for p999, 40,000 for p9999), in the
    /// first solve and in later ones, seldom once it is as it should be. A solve that errs by more walks again, with what follows
    /// from that, before results are written (docs/accuracy.md); what is not kept so either Report::tolerance and a warning say.
    /// 0: none.
    double tolerance = 0.0;
    ErrorOf tolerance_of = ErrorOf::automatic;
    ErrorMeasure tolerance_at = ErrorMeasure::p99;
    int tolerance_effort = 4;  ///< the most walks that one solve may take to keep the tolerance: 1 (it never walks again) to 100
    double G = 1.0;            ///< 1e-80 to 1e80
    /// Adds a cell's own potential, that of a homogeneous cuboid at its centre. Points never have one.
    bool self_potential = true;
    /// What near cells act as. cuboid: those that have one shape, up to sizes, on all ranks; others are points, with a warning.
    NearCells near_cells = NearCells::point;
    /// Which classes of sources act (Cells::source_class, Points::source_class): bit c is class c's. Bodies of others are targets
    /// only. So one solver finds the pull of the gas alone, another that of the sinks alone: 1 is cells and blocks, 2 points,
    /// where hosts give no classes. Periodic solves take off the mean density of what acts.
    int acting_classes = 255;
    SofteningKernel softening_kernel = SofteningKernel::plummer;
    /// Softening length of points that bring none of their own (Points::softening), in the caller's length unit; it acts in every
    /// pair with a point in it, and with all images. With periodic boundaries at most a tenth of the period, and with the Plummer
    /// kernel the same for all points. 0, or from 1e-60 to 1e60; where there are cells, at most 2^45 sides of the smallest.
    double softening = 0.0;
    /// Where all cells must lie (checked). Without it the domain is what the cells cover. Within 1e60 of 0, its sides 1e-60 or
    /// more, and 2^41 sides of the smallest cell or less; its longest period at most 250 times the shortest. A solve refuses
    /// boxes of which more than 255 images would have to be walked, as invalid_option: long in two directions, or 200 : 1 : 1
    /// with all three periodic. (periodic_method: table takes these.)
    std::optional<Box> domain{};
    Background background = Background::automatic;
    /// Points beyond the domain in periodic directions are moved into it by whole periods, as a solve reads them; the host's
    /// arrays stay as they are. Without it a point outside is an error. Cells have to be in the domain.
    bool wrap = false;
    /// Displacement in y of the image of a shearing box, periodic in x and y, beyond its upper face in x; that beyond the lower
    /// one is displaced by as much the other way, and so on; periods in y count nothing. Solver::set_shear() changes it between
    /// solves. With the angular velocity Omega, d ln Omega / d ln x = -q and x outward it is -q Omega Lx t (Hawley, Gammie &
    /// Balbus 1995). Any finite number within 1e60 of 0; 0 where x or y is not periodic.
    double shear = 0.0;
    PeriodicMethod periodic_method = PeriodicMethod::images;
    int ewald_nodes = 24;       ///< nodes of the Ewald table along half of the box's shortest periodic side: 4 to 64
    int ewald_order = 5;        ///< degree of the Ewald table's polynomials: 2 to 5
    std::string ewald_cache{};  ///< HDF5 file in which the Ewald table is kept between runs, made if it is not there; empty: none
    /// A rank whose bodies are where they were in the last solve, and as many, keeps its order and tree, and only refreshes
    /// masses and moments. Results are the same; false is for measurements.
    bool keep_tree = true;
    /// A rank whose points, as many as in the last solve, have moved keeps its order and tree as long as that is cheaper than new
    /// ones; boxes, centres and moments are measured anew. For steps of an N-body code: of points alone, isolated. Results then
    /// depend, within the tree's error, on the solves before, and on who is active.
    bool keep_moved = false;
    /// Whether, for hosts whose bodies lie on the ranks in no order of space, each rank gets a stretch of the space-filling curve
    /// for the solve, all of them as many bodies, and results go back. Without effect on one rank.
    bool redistribute = false;
    int group_size = 0;  ///< targets that walk the tree together: 16 to 1024 (GPU: 32 or 64), 0: the backend's own choice
    int leaf_size = 12;  ///< a node of so many sources or fewer is not divided: 1 to 256
    int virtual_root_boxes = 64;  ///< tight boxes by which a rank tells the others where its targets are: 1 to 256
    /// OpenMP threads a rank, on GPUs at most 8, and 16 of all ranks of a machine; 0: its share of the cores that it may run on
    int threads = 0;
    /// Number of random targets, of all ranks together, that are compared with the direct sum after each solve. 0: none.
    std::int64_t error_samples = 0;
    std::uint64_t error_seed = 1;
    /// What bits active targets get. Where all are active these are the same. The same input gives the same bits, whatever is
    /// said here.
    ActiveBits active_bits = ActiveBits::any;
    /// What Solver::only_changed() says is compared with what has changed, as debug builds do, and not relied upon.
    bool check_changed = false;
    /// How a mesh of cells of one size is summed, on one rank.
    UniformMesh uniform_mesh = UniformMesh::automatic;
    // [/generated]
};

/// What a solve without a tolerance takes where criterion, theta, order or alpha is automatic; `acceleration`: some rank wants
/// them. With a criterion other than opening theta is the angle at which nodes err as alpha says, by which local expansions are
/// judged.
[[nodiscard]] GRAVLET_API Options resolved(Options options, bool acceleration);

/// One line a member, `name: value`, as YAML.
[[nodiscard]] GRAVLET_API std::string to_string(const Options& options);
// [generated: words] scripts/generate, api/schema
[[nodiscard]] GRAVLET_API std::string to_string(Backend value);
[[nodiscard]] GRAVLET_API std::string to_string(GpuSharing value);
[[nodiscard]] GRAVLET_API std::string to_string(Boundary value);
[[nodiscard]] GRAVLET_API std::string to_string(PeriodicMethod value);
[[nodiscard]] GRAVLET_API std::string to_string(Background value);
[[nodiscard]] GRAVLET_API std::string to_string(SofteningKernel value);
[[nodiscard]] GRAVLET_API std::string to_string(Criterion value);
[[nodiscard]] GRAVLET_API std::string to_string(NearCells value);
[[nodiscard]] GRAVLET_API std::string to_string(UniformMesh value);
[[nodiscard]] GRAVLET_API std::string to_string(ActiveBits value);
[[nodiscard]] GRAVLET_API std::string to_string(Precision value);
[[nodiscard]] GRAVLET_API std::string to_string(ErrorOf value);
[[nodiscard]] GRAVLET_API std::string to_string(ErrorMeasure value);
// [/generated]
/// One word if all directions are alike, else "[periodic, periodic, isolated]".
[[nodiscard]] GRAVLET_API std::string to_string(const std::array<Boundary, 3>& boundary);
[[nodiscard]] GRAVLET_API bool is_periodic(const Options& options);  ///< whether some direction is
[[nodiscard]] GRAVLET_API bool is_adaptive(const Options& options);  ///< whether its criterion asks for what acts on the targets

/// Local. Throws Error(invalid_option) that names the option, its value and its range.
GRAVLET_API void validate(const Options& options);

}  // namespace gravlet
