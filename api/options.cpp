// SPDX-License-Identifier: Apache-2.0
#include "api/options.hpp"

#include "ewald/periodic_box.hpp"
#include "physics/limits.hpp"
#include "physics/multipole.hpp"
#include "physics/virtual_root.hpp"
#include "solver/criterion/alpha.hpp"
#include "solver/data/validate_input.hpp"

#include <gravlet/error.hpp>
#include <gravlet/options.hpp>
#include <gravlet/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gravlet {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

template <class T>
void check_range(const char* name, T value, T lowest, T highest) {
    if (!(value >= lowest && value <= highest))
        reject(fmt::format("{} is {}, must be from {} to {}", name, value, lowest, highest));
}

/// Values that came as numbers, from C or Fortran.
template <class Enum>
void check_word(const char* name, Enum value, Enum last) {
    if (static_cast<int>(value) < 0 || value > last)
        reject(fmt::format("{} is number {}, must be from 0 to {}", name, static_cast<int>(value), static_cast<int>(last)));
}

/// What the Ewald table reaches.
constexpr double longest_period_ratio = 250.0;

std::string to_string(const std::optional<Box>& domain) {
    if (!domain) return "none";
    const auto& [low, high] = *domain;
    return fmt::format("[[{}, {}, {}], [{}, {}, {}]]", low[0], low[1], low[2], high[0], high[1], high[2]);
}

}  // namespace

std::string to_string(Backend backend) { return backend == Backend::cpu ? "cpu" : backend == Backend::gpu ? "gpu" : "auto"; }

std::string to_string(GpuSharing sharing) {
    return sharing == GpuSharing::share ? "share" : sharing == GpuSharing::gather ? "gather" : "auto";
}

std::string to_string(Boundary boundary) { return boundary == Boundary::isolated ? "isolated" : "periodic"; }

std::string to_string(const std::array<Boundary, 3>& b) {
    if (b[0] == b[1] && b[1] == b[2]) return to_string(b[0]);
    return fmt::format("[{}, {}, {}]", to_string(b[0]), to_string(b[1]), to_string(b[2]));
}

std::string to_string(PeriodicMethod method) { return method == PeriodicMethod::images ? "images" : "table"; }

std::string to_string(SofteningKernel kernel) { return kernel == SofteningKernel::plummer ? "plummer" : "spline"; }

std::string to_string(ErrorOf field) {
    return field == ErrorOf::potential ? "potential" : field == ErrorOf::acceleration ? "acceleration" : "auto";
}

std::string to_string(ErrorMeasure measure) {
    return measure == ErrorMeasure::p99     ? "p99"
           : measure == ErrorMeasure::p999  ? "p999"
           : measure == ErrorMeasure::p9999 ? "p9999"
                                            : "rms";
}

std::string to_string(Criterion criterion) {
    switch (criterion) {
        case Criterion::automatic: return "auto";
        case Criterion::opening: return "opening";
        case Criterion::acceleration: return "acceleration";
        case Criterion::multipole: return "multipole";
    }
    return {};
}

bool is_periodic(const Options& options) {
    return std::ranges::any_of(options.boundary, [](Boundary b) { return b == Boundary::periodic; });
}

bool is_adaptive(const Options& options) {
    return (options.criterion == Criterion::acceleration || options.criterion == Criterion::multipole) && options.theta != 0.0;
}

Options resolved(Options options, bool acceleration) {
    if (options.criterion == Criterion::automatic) options.criterion = Criterion::opening;
    if (options.order == automatic) options.order = acceleration ? 4 : 2;
    if (is_adaptive(options)) {
        if (options.alpha == automatic) options.alpha = automatic_alpha(options, acceleration);
        options.theta = angle_for_far_nodes(options, acceleration);
    }
    if (options.theta == automatic) options.theta = options.order == 4 ? 1.0 : 0.8;
    return options;
}

Options as_taken(Options options, const Report& report) {
    if (!report.tolerance) return options;
    options.tolerance = 0.0;
    options.order = report.tolerance->order;
    options.criterion = report.tolerance->criterion;
    if (is_adaptive(options)) {
        options.alpha = report.tolerance->alpha;
    } else {
        options.theta = report.tolerance->theta;
    }
    return options;
}

std::string to_string(const Options& o) {
    return fmt::format(
        "backend: {}\ngpu_sharing: {}\nboundary: {}\ntheta: {}\norder: {}\ncriterion: {}\nalpha: {}\ntolerance: "
        "{}\ntolerance_of: {}\ntolerance_at: {}\nG: {}\nself_potential: "
        "{}\nsoftening_kernel: "
        "{}\nsoftening: {}\ndomain: "
        "{}\nperiodic_method: {}\newald_nodes: {}\newald_order: {}\newald_cache: {}\nkeep_tree: {}\nkeep_moved: "
        "{}\nredistribute: {}\n"
        "group_size: {}\nleaf_size: {}\nvirtual_root_boxes: {}\nthreads: {}\nerror_samples: {}\nerror_seed: {}\n",
        to_string(o.backend), to_string(o.gpu_sharing), to_string(o.boundary), o.theta, o.order, to_string(o.criterion), o.alpha,
        o.tolerance, to_string(o.tolerance_of), to_string(o.tolerance_at), o.G, o.self_potential, to_string(o.softening_kernel),
        o.softening, to_string(o.domain), to_string(o.periodic_method), o.ewald_nodes, o.ewald_order, o.ewald_cache, o.keep_tree,
        o.keep_moved, o.redistribute, o.group_size, o.leaf_size, o.virtual_root_boxes, o.threads, o.error_samples, o.error_seed);
}

void validate(const Options& o) {
    check_word("backend", o.backend, Backend::gpu);
    check_word("gpu_sharing", o.gpu_sharing, GpuSharing::gather);
    for (const Boundary boundary : o.boundary) check_word("boundary", boundary, Boundary::periodic);
    check_word("periodic_method", o.periodic_method, PeriodicMethod::table);
    check_word("softening_kernel", o.softening_kernel, SofteningKernel::spline);
    if (!(o.theta == 0.0 || o.theta == automatic || (o.theta >= 0.1 && o.theta <= 1.0)))
        reject(fmt::format("theta is {}, must be from 0.1 to 1, 0 for the direct sum, or {}: automatic", o.theta, automatic));
    if (o.order != automatic) check_range("order", o.order, 0, max_order);
    check_word("criterion", o.criterion, Criterion::multipole);
    if (o.alpha != automatic) check_range("alpha", o.alpha, 1e-6, 100.0);
    if (o.tolerance != 0.0) check_range("tolerance", o.tolerance, 1e-6, 0.1);
    check_word("tolerance_of", o.tolerance_of, ErrorOf::acceleration);
    check_word("tolerance_at", o.tolerance_at, ErrorMeasure::rms);
    const auto check_automatic = [&](const char* name, double value) {
        if (o.tolerance != 0.0 && value != automatic)
            reject(fmt::format("{} is {}, must be {} (automatic) with a tolerance, which decides on it", name, value, automatic));
    };
    check_automatic("theta", o.theta), check_automatic("order", o.order), check_automatic("alpha", o.alpha);
    if (o.criterion != Criterion::automatic && o.criterion != Criterion::opening && is_periodic(o) &&
        o.periodic_method == PeriodicMethod::table)
        reject(fmt::format("criterion is {}, must be opening with periodic_method table", to_string(o.criterion)));
    check_range("G", o.G, smallest_G, largest_G);
    if (!is_softening(o.softening))
        reject(fmt::format("softening is {}, must be 0 or from {} to {}", o.softening, smallest_length, largest_length));
    if (o.group_size != 0) check_range("group_size", o.group_size, 16, 1024);
    check_range("leaf_size", o.leaf_size, 1, 256);
    check_range("virtual_root_boxes", o.virtual_root_boxes, 1, max_virtual_root_boxes);
    check_range("threads", o.threads, 0, 1024);
    if (o.error_samples < 0) reject(fmt::format("error_samples is {}, must be 0 or more", o.error_samples));
    check_range("ewald_nodes", o.ewald_nodes, 4, 64);
    check_range("ewald_order", o.ewald_order, 2, 5);
    if (!o.domain && is_periodic(o)) reject(fmt::format("boundary is {}: it needs a domain", to_string(o.boundary)));
    if (!o.domain) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double low = o.domain->lower[axis], high = o.domain->upper[axis];
        if (!(low < high)) reject(fmt::format("domain: from {} to {} in direction {} is not a box", low, high, axis));
        if (!(low >= -largest_length && high <= largest_length && high - low >= smallest_length))
            reject(fmt::format("domain: from {} to {} in direction {}: must be within {} of 0, and {} wide at least", low, high,
                               axis, largest_length, smallest_length));
        if (o.boundary[axis] == Boundary::periodic && o.softening > longest_softening_in_periods * (high - low))
            reject(fmt::format("softening is {}, must be at most a tenth of the period, {}, in direction {}", o.softening,
                               high - low, axis));
    }
    if (!is_periodic(o)) return;
    const PeriodicBox box = domain_box(o);
    if (box.longest_period() > longest_period_ratio * box.shortest_period())
        reject(fmt::format("domain: its periodic sides are {} and {}, the longest must be at most {} times the shortest",
                           box.longest_period(), box.shortest_period(), longest_period_ratio));
}

void agree_on_options(Stages& stages, const Options& options) {
    std::string ours, first;
    int length = 0;
    stages.local([&] {
        validate(options);
        ours = to_string(options);
        length = static_cast<int>(ours.size());
    });
    stages.collective([&](const Agreed& all) { all.broadcast(&length, 1, 0); });
    stages.local([&] {
        first = ours;
        first.resize(static_cast<std::size_t>(length));
    });
    stages.collective(
        [&](const Agreed& all) { all.check(MPI_Bcast(first.data(), length, MPI_CHAR, 0, all.get()), "MPI_Bcast"); });
    stages.local([&] {
        std::istringstream theirs(first), here(ours);
        for (std::string a, b; std::getline(theirs, a) && std::getline(here, b);)
            if (a != b) reject(fmt::format("options differ between ranks: \"{}\" here, \"{}\" on rank 0", b, a));
    });
    stages.agree();
}

}  // namespace gravlet
