// SPDX-License-Identifier: Apache-2.0
// One combination: bodies, options, how they are handed over, and what is called one after the other. A plain value, derived from
// its seed alone, the same on every rank.
#pragma once

#include <gravlet/options.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gravlet::combine {

using Vector = std::array<double, 3>;
using Index = std::array<int, 3>;

struct Cell {
    Vector x{}, side{};
    double mass = 0.0;
    bool active = true;
    int rank = 0;
    int source_class = 0;
};

struct Point {
    Vector x{};
    double mass = 0.0, softening = 0.0;
    bool active = true;
    int rank = 0;
    int source_class = 1;
};

struct Patch {  ///< a Block
    Vector lower{}, side{};
    Index n{1, 1, 1};
    std::vector<double> density{};  ///< x fastest
    bool active = true;
    int rank = 0;
};

struct Probe {  ///< a place without mass
    Vector x{};
    int rank = 0;
    static constexpr bool active = true;
};

/// All that ranks bring.
struct Bodies {
    std::vector<Cell> cells{};
    std::vector<Patch> patches{};
    std::vector<Point> points{};
    std::vector<Probe> probes{};
};

enum class Language { cpp, c, fortran };

struct Want {
    bool potential = true, acceleration = false, tidal = false;
};

/// How a host keeps its arrays.
struct Layout {
    bool float_positions = false, float_masses = false, float_results = false;
    bool cubes = false;           ///< cells: dy and dz left out
    bool own_softenings = false;  ///< points bring an array of them
    Index guards{};               ///< blocks: result_guards
    int padding = 0;              ///< further layers of no meaning around arrays
    int step = 1;                 ///< elements from one value to the next
    Index axes{0, 1, 2};          ///< the fastest first
    bool mirrored = false;        ///< the fastest runs down
    bool apart = false;           ///< results have strides of their own
    bool faces = false;
};

enum class Act {
    again,
    other_masses,
    some_masses,
    one_mass,  ///< of the least body that acts, a millionth more
    moved,     ///< points; cells lose one of theirs
    some_moved,
    one_more,
    other_lengths,  ///< softening and domain
    bad_mass,       ///< negative
    bad_nan,
    bad_place,    ///< outside the domain, or infinite
    bad_overlap,  ///< of cells
};
/// What a host says to have changed.
enum class Said {
    nothing,
    truth,
    more,  ///< on some ranks
    less,  ///< that nothing has
};
struct Step {
    Act act;
    std::uint64_t seed;
    Said said = Said::nothing;
    bool other_active = false;
};

enum class Expect {
    good,
    refused_option,  ///< an option is beyond its limits
    either,          ///< a body is a rounding beyond the domain
};

struct Case {
    std::uint64_t seed = 0;
    int ranks = 1;
    Options options{};
    std::string broken{};  ///< the option that is beyond its limits
    Bodies bodies{};
    Want cells_want{}, points_want{};
    Layout layout{};
    Language language = Language::cpp;
    bool listener = false;
    Expect expect = Expect::good;
    std::vector<Step> steps{};
};

std::string to_string(Act act);
std::string to_string(Said said);
std::string to_string(Language language);
std::string kind_of(const Case& c);      ///< of its bodies
std::string boundary_of(const Case& c);  ///< "pip": p where periodic, m where mirrored
bool is_bad(Act act);

/// The double that a host with floats has. Not inline: GCC 12 at -O3 leaves out some of a loop over two neighbouring members.
double as_float(double x);

/// C++ that makes it.
std::string as_code(const Case& c);

}  // namespace gravlet::combine
