// SPDX-License-Identifier: Apache-2.0
// What C++ makes of the schema, as lines that test_schema.py compares with those of the other languages (host.c).
#include <gravlet/members.hpp>
#include <gravlet/option_list.hpp>
#include <gravlet/solver.hpp>

#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace gravlet;

void print_values(const char* kind, const Options& options) {
    for (const OptionInfo& option : option_list())
        std::printf("%s %s %s\n", kind, option.name.c_str(), get_option(options, option.name).c_str());
}

void print_options() {
    Options options;
    print_values("default", options);
    // [generated: options] scripts/generate, api/schema
    options.backend = Backend::cpu;
    options.gpu_sharing = GpuSharing::gather;
    options.boundary = {Boundary::periodic, Boundary::isolated, Boundary::periodic};
    options.theta = 0.35;
    options.order = 3;
    options.precision = Precision::double_;
    options.criterion = Criterion::multipole;
    options.alpha = 0.015625;
    options.tolerance = 0.0001;
    options.tolerance_of = ErrorOf::potential;
    options.tolerance_at = ErrorMeasure::p9999;
    options.tolerance_effort = 7;
    options.G = 6.67e-08;
    options.self_potential = false;
    options.near_cells = NearCells::cuboid;
    options.acting_classes = 6;
    options.softening_kernel = SofteningKernel::spline;
    options.softening = 0.1;
    options.domain = Box{{-1, -2, -3}, {1, 2, 3.5}};
    options.background = Background::keep;
    options.wrap = true;
    options.shear = 0.25;
    options.periodic_method = PeriodicMethod::table;
    options.ewald_nodes = 8;
    options.ewald_order = 3;
    options.ewald_cache = "a table.h5";
    options.keep_tree = false;
    options.keep_moved = true;
    options.redistribute = true;
    options.group_size = 64;
    options.leaf_size = 7;
    options.virtual_root_boxes = 3;
    options.threads = 5;
    options.error_samples = 9007199254740993;
    options.error_seed = 9;
    options.active_bits = ActiveBits::same;
    options.check_changed = true;
    options.uniform_mesh = UniformMesh::tree;
    // [/generated]
    print_values("option", options);
}

struct Print {
    std::string solve, path;

    Print below(const std::string& name) const { return {solve, path.empty() ? name : path + "." + name}; }
    void line(const std::string& value) const { std::printf("report %s.%s %s\n", solve.c_str(), path.c_str(), value.c_str()); }

    void operator()(double value) const {
        std::array<char, 40> text{};
        std::snprintf(text.data(), text.size(), "%.17g", value);
        line(text.data());
    }
    template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>) void operator()(T value) const {
        line(std::to_string(static_cast<std::int64_t>(value)));
    }
    void operator()(const std::string& text) const { line(text); }
    template <class T>
    void operator()(const std::vector<T>& list) const {
        (*this)(list.size());
        if constexpr (std::is_same_v<T, StageTime>)
            for (const StageTime& stage : list) std::printf("stage %s %s\n", solve.c_str(), stage.name.c_str());
    }
    void operator()(const std::array<double, 3>& values) const {
        for (std::size_t i = 0; i < values.size(); ++i) Print{solve, path + "[" + std::to_string(i) + "]"}(values[i]);
    }
    template <class T>
    void operator()(const std::optional<T>& value) const {
        if (value)
            (*this)(*value);
        else
            line("absent");
    }
    template <HasMembers T>
    void operator()(const T& members) const {
        for_each_member(members, [&](const char* name, const auto& value) { below(name)(value); });
    }
};

class Results {
public:
    explicit Results(std::size_t n) : arrays_(10, std::vector<double>(n)) {}
    Fields fields() {
        auto& a = arrays_;
        return {a[0], {a[1], a[2], a[3]}, {a[4], a[5], a[6], a[7], a[8], a[9]}};
    }
    void print(const char* solve) const {
        for (std::size_t k = 0; k < arrays_.size(); ++k) std::printf("result %s.%zu %.17g\n", solve, k, arrays_[k][5]);
    }

private:
    std::vector<std::vector<double>> arrays_;
};

double fraction(double value) { return value - std::floor(value); }

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (int code = 1; *name_of(static_cast<ErrorCode>(code)) != '\0'; ++code)
        std::printf("code %s %d\n", name_of(static_cast<ErrorCode>(code)), code);
    print_options();
    {
        constexpr int n = 1500;
        std::vector<double> x(n), y(n), z(n), mass(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double number = static_cast<double>(i + 1);
            x[i] = fraction(number * 0.7548776662466927);
            y[i] = fraction(number * 0.5698402909980532);
            z[i] = fraction(number * 0.8191725133961645);
            mass[i] = 1.0 + static_cast<double>(i % 7);
        }
        Solver solver(MPI_COMM_WORLD, {.backend = Backend::cpu,
                                       .criterion = Criterion::acceleration,
                                       .tolerance = 1e-3,
                                       .threads = 1,
                                       .error_samples = 1200});
        Results results(n);
        solver.solve(Points{x, y, z, mass}, results.fields());
        Print{"points", ""}(solver.report());
        results.print("points");
    }
    {
        constexpr int n = 64;
        std::vector<double> x(n), y(n), z(n), dx(n, 0.25), mass(n);
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = 0.125 + 0.25 * static_cast<double>(i % 4);
            y[i] = 0.125 + 0.25 * static_cast<double>(i / 4 % 4);
            z[i] = 0.125 + 0.25 * static_cast<double>(i / 16);
            mass[i] = 1.0 + static_cast<double>(i % 5);
        }
        constexpr Boundary p = Boundary::periodic;
        Solver solver(MPI_COMM_WORLD, {.backend = Backend::cpu,
                                       .boundary = {p, p, p},
                                       .near_cells = NearCells::cuboid,
                                       .domain = Box{{0, 0, 0}, {1, 1, 1}},
                                       .threads = 1});
        Results results(n);
        solver.solve(Cells{x, y, z, dx, {}, {}, mass}, results.fields());
        Print{"cells", ""}(solver.report());
        results.print("cells");
    }
    MPI_Finalize();
    return 0;
}
