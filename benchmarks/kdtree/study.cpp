// SPDX-License-Identifier: Apache-2.0
// gravlet_kdtree_study: does a kd-tree need fewer pairs, or less time, than the octree at the same error? Walks the same points
// through each kind of tree at several opening angles, or alphas, and interpolates between the settings (docs/nbody.md).
#include "benchmarks/kdtree/study_tree.hpp"

#include <gravlet/error.hpp>
#include <gravlet/version.hpp>

#include <fmt/format.h>
#include <mpi.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gravlet::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr TreeKind kinds[] = {TreeKind::octree, TreeKind::tight_octree, TreeKind::kdtree, TreeKind::kdtree_on_curve};
constexpr double errors_of_interest[] = {4e-3, 1e-3, 3e-4, 1e-4, 3e-5};

struct Settings {
    std::string model = "hernquist", json;
    std::size_t n = 250'000, samples = 2000;
    int threads = 1, leaf_size = Options{}.leaf_size;
    std::vector<int> orders{0, 2, 4};
};

/// theta of the opening criterion, or alpha.
std::vector<double> sweep(int order, Criterion criterion) {
    if (criterion == Criterion::opening) {
        if (order == 0) return {0.8, 0.55, 0.38, 0.26};
        return {1.3, 1.0, 0.75, 0.55, 0.4};
    }
    if (order == 0) return {0.1, 0.02, 0.004, 0.001};
    if (order == 2) return {1.0, 0.2, 0.04, 0.01, 0.002};
    return {3.0, 0.6, 0.12, 0.03, 0.006};
}

struct Errors {
    double median, p99, p9999;
};

/// Relative errors of accelerations at the sample. With fewer than 10,000 targets the last is the largest.
Errors errors_of(const StudyTree& tree, const std::vector<std::size_t>& sample, const std::vector<Vector3>& exact) {
    const std::vector<Vector3> got = tree.accelerations();
    std::vector<double> errors;
    for (std::size_t k = 0; k < sample.size(); ++k) {
        const Vector3 &a = got[sample[k]], &b = exact[k];
        errors.push_back(std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) / std::hypot(b.x, b.y, b.z));
    }
    std::ranges::sort(errors);
    const auto at = [&](double share) {
        return errors[static_cast<std::size_t>(share * static_cast<double>(errors.size() - 1))];
    };
    return {at(0.5), at(0.99), sample.size() < 10'000 ? errors.back() : at(0.9999)};
}

/// Costs, a target, and errors of one setting: interactions with nodes, with points, and by local expansions.
struct Row {
    double value, node, cell, far;
    double moments_seconds, walk_seconds;
    Errors errors;
    [[nodiscard]] double pairs() const { return node + cell; }
};

/// The cost at which 99% of targets have this error, between the settings on both sides of it, in powers. None: not reached.
std::optional<double> at_error(const std::vector<Row>& rows, double error, const std::function<double(const Row&)>& cost) {
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        const double high = rows[i].errors.p99, low = rows[i + 1].errors.p99;
        if (error > high || error < low || !(low < high)) continue;
        const double share = std::log(error / low) / std::log(high / low);
        return std::exp((1.0 - share) * std::log(cost(rows[i + 1])) + share * std::log(cost(rows[i])));
    }
    return std::nullopt;
}

class Study {
public:
    explicit Study(const Settings& settings) : settings_(settings), points_(study_points(settings.model, settings.n)) {
        for (std::size_t k = 0; k < settings.samples; ++k) sample_.push_back(k * settings.n / settings.samples);
        exact_ = direct_accelerations(points_, sample_, settings.threads);
    }

    Json run() {
        Json json{{"version", version()},         {"model", settings_.model},     {"n", settings_.n},
                  {"samples", settings_.samples}, {"threads", settings_.threads}, {"leaf_size", settings_.leaf_size}};
        json["trees"] = build();
        json["rows"] = Json::array();
        for (const int order : settings_.orders)
            for (const Criterion criterion : {Criterion::opening, Criterion::acceleration})
                compare(order, criterion, json["rows"]);
        return json;
    }

private:
    Json build() {
        Json json = Json::array();
        fmt::print("{}, {} points, leaves of {}\n\n| tree | sort s | build s | nodes | levels |\n|---|---|---|---|---|\n",
                   settings_.model, settings_.n, settings_.leaf_size);
        for (const TreeKind kind : kinds) {
            const StudyTree& tree =
                *trees_.emplace_back(std::make_unique<StudyTree>(points_, kind, settings_.leaf_size, settings_.threads));
            fmt::print("| {} | {:.3f} | {:.3f} | {} | {} |\n", to_string(kind), tree.sort_seconds(), tree.build_seconds(),
                       tree.tree().count(), tree.tree().depth());
            json.push_back({{"tree", to_string(kind)},
                            {"sort_s", tree.sort_seconds()},
                            {"build_s", tree.build_seconds()},
                            {"nodes", tree.tree().count()},
                            {"levels", tree.tree().depth()}});
        }
        return json;
    }

    Row measure(StudyTree& tree, int order, Criterion criterion, double value) const {
        Options options;
        options.order = order;
        options.criterion = criterion;
        (criterion == Criterion::opening ? options.theta : options.alpha) = value;
        const WalkCost cost = tree.walk(options);
        const auto each = [&](std::uint64_t pairs) { return static_cast<double>(pairs) / static_cast<double>(settings_.n); };
        return {value,
                each(cost.counts.node),
                each(cost.counts.cell),
                each(cost.counts.far),
                cost.moments_seconds,
                cost.walk_seconds,
                errors_of(tree, sample_, exact_)};
    }

    void compare(int order, Criterion criterion, Json& json) {
        fmt::print(
            "\norder {}, {}\n\n| tree | {} | nodes + cells | far | walk s | median | 99% | largest "
            "|\n|---|---|---|---|---|---|---|---|\n",
            order, to_string(criterion), criterion == Criterion::opening ? "theta" : "alpha");
        std::vector<std::vector<Row>> found(trees_.size());
        // The trees by turns, so that what else the machine does slows them alike.
        for (const double value : sweep(order, criterion)) {
            for (std::size_t t = 0; t < trees_.size(); ++t) {
                const Row& row = found[t].emplace_back(measure(*trees_[t], order, criterion, value));
                fmt::print("| {} | {} | {:.0f} + {:.0f} | {:.3f} | {:.3f} | {:.2e} | {:.2e} | {:.2e} |\n", to_string(kinds[t]),
                           value, row.node, row.cell, row.far, row.walk_seconds, row.errors.median, row.errors.p99,
                           row.errors.p9999);
                std::fflush(stdout);
                json.push_back({{"tree", to_string(kinds[t])},
                                {"order", order},
                                {"criterion", to_string(criterion)},
                                {"value", value},
                                {"node_pairs", row.node},
                                {"cell_pairs", row.cell},
                                {"far_pairs", row.far},
                                {"moments_s", row.moments_seconds},
                                {"walk_s", row.walk_seconds},
                                {"median", row.errors.median},
                                {"p99", row.errors.p99},
                                {"p9999", row.errors.p9999}});
            }
        }
        print_at_equal_errors(found);
    }

    static void print_at_equal_errors(const std::vector<std::vector<Row>>& found) {
        fmt::print("\n| nodes + cells, walk s at 99% |");
        for (const double error : errors_of_interest) fmt::print(" {:.0e} |", error);
        fmt::print("\n|---|");
        for (std::size_t i = 0; i < std::size(errors_of_interest); ++i) fmt::print("---|");
        fmt::print("\n");
        for (std::size_t t = 0; t < found.size(); ++t) {
            fmt::print("| {} |", to_string(kinds[t]));
            for (const double error : errors_of_interest) {
                const auto pairs = at_error(found[t], error, [](const Row& row) { return row.pairs(); });
                const auto seconds = at_error(found[t], error, [](const Row& row) { return row.walk_seconds; });
                fmt::print(" {} |", pairs && seconds ? fmt::format("{:.0f}, {:.3f}", *pairs, *seconds) : "");
            }
            fmt::print("\n");
        }
    }

    Settings settings_;
    StudyPoints points_;
    std::vector<std::size_t> sample_;
    std::vector<Vector3> exact_;
    std::vector<std::unique_ptr<StudyTree>> trees_;
};

int main_of(int argc, char** argv) {
    Settings settings;
    CLI::App app{"A kd-tree by volume and mass against the octree, behind the same walk"};
    app.add_option("--model", settings.model, "hernquist, plummer or nfw")->capture_default_str();
    app.add_option("--n", settings.n, "points")->capture_default_str()->check(CLI::Range(1, 1'000'000'000));
    app.add_option("--samples", settings.samples, "targets whose errors are measured")->capture_default_str();
    app.add_option("--orders", settings.orders)->capture_default_str()->check(CLI::IsMember({0, 2, 4}));
    app.add_option("--leaf-size", settings.leaf_size)->capture_default_str()->check(CLI::Range(1, 256));
    app.add_option("--threads", settings.threads)->capture_default_str()->check(CLI::Range(1, 1024));
    app.add_option("--json", settings.json, "file to write");
    CLI11_PARSE(app, argc, argv);
    if (settings.samples < 1 || settings.samples > settings.n)
        throw Error(ErrorCode::invalid_input,
                    fmt::format("--samples {}: must be 1 to {}, the points", settings.samples, settings.n));
    const Json json = Study(settings).run();
    if (settings.json.empty()) return 0;
    std::ofstream file(settings.json);
    file << json.dump(2) << std::endl;
    if (!file) throw Error(ErrorCode::file, settings.json + ": cannot be written");
    return 0;
}

}  // namespace
}  // namespace gravlet::bench

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);  // one rank, but GroupScales has an MPI type
    int code = 0;
    try {
        code = gravlet::bench::main_of(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "gravlet_kdtree_study: {}\n", error.what());
        code = 1;
    }
    MPI_Finalize();
    return code;
}
