// SPDX-License-Identifier: Apache-2.0
// Options by name: every member, there and back; what is refused, and with which words. What documents and FLASH's Config say of
// options is what the list says.
#include <gravlet/error.hpp>
#include <gravlet/option_list.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace gravlet {
namespace {

using Array = std::array<double, 3>;

/// A value of each option that is not its default, as text that comes back as it was given.
const std::map<std::string, std::string> others = {
    // [generated: examples] scripts/generate, api/schema
    {"backend", "cpu"},
    {"gpu_sharing", "gather"},
    {"boundary", "[periodic, isolated, periodic]"},
    {"theta", "0.35"},
    {"order", "3"},
    {"precision", "double"},
    {"criterion", "multipole"},
    {"alpha", "0.015625"},
    {"tolerance", "0.0001"},
    {"tolerance_of", "potential"},
    {"tolerance_at", "p9999"},
    {"tolerance_effort", "7"},
    {"G", "6.67e-08"},
    {"self_potential", "false"},
    {"near_cells", "cuboid"},
    {"acting_classes", "6"},
    {"softening_kernel", "spline"},
    {"softening", "0.1"},
    {"domain", "[[-1, -2, -3], [1, 2, 3.5]]"},
    {"background", "keep"},
    {"wrap", "true"},
    {"shear", "0.25"},
    {"periodic_method", "table"},
    {"ewald_nodes", "8"},
    {"ewald_order", "3"},
    {"ewald_cache", "a table.h5"},
    {"keep_tree", "false"},
    {"keep_moved", "true"},
    {"redistribute", "true"},
    {"group_size", "64"},
    {"leaf_size", "7"},
    {"virtual_root_boxes", "3"},
    {"threads", "5"},
    {"error_samples", "9007199254740993"},
    {"error_seed", "9"},
    {"active_bits", "same"},
    {"check_changed", "true"},
    {"uniform_mesh", "tree"},
    // [/generated]
};

// [generated: parameters] scripts/generate, api/schema
constexpr int flash_parameters = 23;
// [/generated]

TEST(OptionList, EveryOptionThereAndBack) {
    std::set<std::string> names;
    Options all;
    for (const OptionInfo& option : option_list()) {
        ASSERT_TRUE(others.contains(option.name)) << option.name;
        names.insert(option.name);
        Options options;
        EXPECT_EQ(get_option(options, option.name), option.default_value);
        EXPECT_NE(option.default_value, others.at(option.name));
        set_option(options, option.name, others.at(option.name));
        EXPECT_EQ(get_option(options, option.name), others.at(option.name));
        for (const OptionInfo& other : option_list())
            EXPECT_EQ(get_option(options, other.name), other.name == option.name ? others.at(option.name) : other.default_value);
        set_option(options, option.name, option.default_value);
        EXPECT_EQ(to_string(options), to_string(Options{}));
        EXPECT_FALSE(option.help.empty());
        set_option(all, option.name, others.at(option.name));
    }
    EXPECT_EQ(names.size(), others.size());
    EXPECT_EQ(all.theta, 0.35);
    EXPECT_EQ(all.boundary, (std::array{Boundary::periodic, Boundary::isolated, Boundary::periodic}));
    EXPECT_EQ(all.domain->upper, (std::array{1.0, 2.0, 3.5}));
    EXPECT_EQ(all.error_samples, 9007199254740993);
    EXPECT_EQ(all.ewald_cache, "a table.h5");
    EXPECT_EQ(all.tolerance_at, ErrorMeasure::p9999);
}

TEST(OptionList, ValuesAsPeopleWriteThem) {
    Options options;
    const auto set = [&](const char* name, const char* value) { set_option(options, name, value); };
    set(" theta ", " 5d-1\n");
    EXPECT_EQ(options.theta, 0.5);
    set("theta", "auto"), set("order", "auto"), set("threads", "auto"), set("group_size", "auto");
    EXPECT_EQ(options.theta, automatic);
    EXPECT_EQ(options.order, automatic);
    EXPECT_EQ(options.threads, 0);
    set("theta", "-1"), set("G", "+6.67E-8"), set("error_samples", "1.5e3");
    EXPECT_EQ(options.theta, automatic);
    EXPECT_EQ(options.G, 6.67e-8);
    EXPECT_EQ(options.error_samples, 1500);
    set("keep_tree", ".FALSE."), set("redistribute", "yes");
    EXPECT_FALSE(options.keep_tree);
    EXPECT_TRUE(options.redistribute);
    set("boundary", "periodic isolated,isolated");
    EXPECT_EQ(get_option(options, "boundary"), "[periodic, isolated, isolated]");
    set("boundary", "periodic"), set("domain", "0 0 0 1 1 2");
    EXPECT_EQ(get_option(options, "boundary"), "periodic");
    EXPECT_EQ(get_option(options, "domain"), "[[0, 0, 0], [1, 1, 2]]");
}

std::string message_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
        return error.what();
    }
    return "no error";
}

TEST(OptionList, WrongValuesLeaveOptionsAlone) {
    const auto refused = [](const char* name, const char* value) {
        Options options;
        const std::string message = message_of([&] { set_option(options, name, value); });
        EXPECT_EQ(to_string(options), to_string(Options{})) << name;
        return message;
    };
    EXPECT_EQ(refused("theta", "small"), "theta is small: expected a number or auto");
    EXPECT_EQ(refused("theta", "nan"), "theta is nan: expected a number or auto");
    EXPECT_EQ(refused("G", "auto"), "G is auto: expected a number");
    EXPECT_EQ(refused("G", ""), "G is empty: expected a number");
    EXPECT_EQ(refused("leaf_size", "1.5"), "leaf_size is 1.5: expected an integer");
    EXPECT_EQ(refused("leaf_size", "1.5e-2147483648"), "leaf_size is 1.5e-2147483648: expected an integer");
    EXPECT_EQ(refused("threads", "many"), "threads is many: expected an integer or auto");
    EXPECT_EQ(refused("leaf_size", "1e10"), "leaf_size is 1e10: expected an integer from -2147483648 to 2147483647");
    EXPECT_EQ(refused("error_seed", "-1"), "error_seed is -1: expected an integer from 0 to 18446744073709551615");
    EXPECT_EQ(refused("keep_tree", "2"), "keep_tree is 2: expected true or false");
    EXPECT_EQ(refused("backend", "cuda"), "backend is cuda: expected one of auto, cpu, gpu");
    EXPECT_EQ(refused("boundary", "[periodic, open, isolated]"),
              "boundary is [periodic, open, isolated]: expected one of isolated, periodic, mirror_lower, mirror_upper, or a list "
              "of three of them, as [x, y, z]");
    EXPECT_EQ(refused("domain", "[0, 1]"),
              "domain is [0, 1]: expected two corners, the lower one first, as [[x, y, z], [x, y, z]], or none");
    EXPECT_EQ(refused("thta", "1").substr(0, 43), "thta: unknown option; did you mean theta? (");
    EXPECT_EQ(message_of([] { (void)get_option(Options{}, "tree"); }).substr(0, 21), "tree: unknown option;");
}

TEST(OptionList, RangesAreThoseThatAreChecked) {
    const auto refused = [](const char* name, const char* value) {
        Options options;
        set_option(options, name, value);
        return message_of([&] { validate(options); });
    };
    EXPECT_EQ(refused("theta", "1.1"), "theta is 1.1, must be 0.1 to 1, or 0 (direct sum), or -1 (auto)");
    EXPECT_EQ(refused("leaf_size", "0"), "leaf_size is 0, must be 1 to 256");
    EXPECT_EQ(refused("tolerance", "1"), "tolerance is 1, must be 1e-06 to 0.1, or 0 (none)");
    EXPECT_EQ(refused("error_samples", "-1"), "error_samples is -1, must be 0 or more");
}

// What there is not together.
TEST(Options, WhatDoesNotGoTogether) {
    constexpr std::array periodic{Boundary::periodic, Boundary::periodic, Boundary::periodic},
        layer{Boundary::periodic, Boundary::periodic, Boundary::isolated};
    const auto refused = [&](const std::array<Boundary, 3>& boundary, Options options) {
        options.boundary = boundary;
        options.domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
        return message_of([&] { validate(options); });
    };
    constexpr PeriodicMethod table = PeriodicMethod::table;
    EXPECT_EQ(refused(periodic, {.periodic_method = table}), "no error");
    EXPECT_EQ(refused(layer, {.criterion = Criterion::acceleration, .periodic_method = table}),
              "criterion is acceleration, must be opening with periodic_method table");
    EXPECT_EQ(refused(periodic, {.precision = Precision::double_, .periodic_method = table}),
              "precision is double, which there is not with periodic_method table");
    EXPECT_EQ(refused(periodic, {.precision = Precision::double_, .tolerance = 1e-3}),
              "precision is double, which there is not with a tolerance");
    EXPECT_EQ(refused(periodic, {.background = Background::contrast}), "no error");
    EXPECT_EQ(refused(layer, {.background = Background::contrast}),
              "background is contrast, and boundary is [periodic, periodic, isolated]: must be periodic in all directions");
    constexpr Boundary mirror = Boundary::mirror_lower, open = Boundary::isolated;
    EXPECT_EQ(refused({mirror, open, Boundary::mirror_upper}, {}), "no error");
    EXPECT_EQ(refused({open, mirror, Boundary::periodic}, {}),
              "boundary is [isolated, mirror_lower, periodic]: with planes of symmetry all other directions must be isolated");
    EXPECT_EQ(message_of([&] {
                  validate({.boundary = {open, open, mirror}});
              }),
              "boundary is [isolated, isolated, mirror_lower]: it needs a domain");
    EXPECT_EQ(refused(periodic, {.theta = 0.5, .tolerance = 1e-3}),
              "theta is 0.5, must be -1 (automatic) with a tolerance, which decides on it");
}

std::string contents(const std::filesystem::path& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// What stands in for auto, number by number.
TEST(Options, Automatic) {
    const auto expect = [](const Options& given, bool acceleration, int order, double theta) {
        const Options taken = resolved(given, acceleration);
        EXPECT_EQ(taken.order, order) << acceleration;
        EXPECT_EQ(taken.theta, theta) << acceleration;
        EXPECT_EQ(taken.criterion, Criterion::opening);
    };
    expect({}, true, 4, 1.0);
    expect({}, false, 2, 0.8);
    expect({.order = 4}, false, 4, 1.0);
    expect({.order = 2}, true, 2, 0.8);
    expect({.order = 3}, true, 3, 0.8);
    expect({.theta = 0.3}, true, 4, 0.3);
    expect({.precision = Precision::double_}, true, 10, 0.35);
    expect({.precision = Precision::double_}, false, 10, 0.5);
}

// A box's periodic sides may differ by up to 250 times, softening may be up to a tenth of them.
TEST(Options, PeriodicBoxes) {
    Options options;
    options.boundary = {Boundary::periodic, Boundary::isolated, Boundary::periodic};
    const auto is_valid = [&](const Array& sides, double softening) {
        options.domain = Box{{0.0, 0.0, 0.0}, sides};
        options.softening = softening;
        try {
            validate(options);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_option);
            return false;
        }
        return true;
    };
    EXPECT_TRUE(is_valid({249.0, 1.0, 1.0}, 0.0));
    EXPECT_FALSE(is_valid({251.0, 1.0, 1.0}, 0.0));
    EXPECT_TRUE(is_valid({1.0, 1000.0, 1.0}, 0.0));
    EXPECT_TRUE(is_valid({2.0, 0.1, 1.0}, 0.0999));
    EXPECT_FALSE(is_valid({2.0, 0.1, 1.0}, 0.1001));
}

TEST(OptionList, TableOfTheDocuments) {
    const std::string page = contents(std::filesystem::path(GRAVLET_SOURCE_DIR) / "docs/reference/options.md");
    for (const OptionInfo& o : option_list()) {
        const std::string row =
            fmt::format("| `{}` | {} | {} | {} | {} |\n", o.name, o.type, o.range.empty() ? "" : "`" + o.range + "`",
                        o.default_value.empty() ? "" : "`" + o.default_value + "`", o.help);
        EXPECT_NE(page.find(row), std::string::npos) << "docs/reference/options.md lacks:\n" << row;
    }
}

/// "grv_gravletGpuSharing" is gpu_sharing.
std::string option_of(const std::string& parameter) {
    std::string name;
    for (const char c : parameter.substr(std::string("grv_gravlet").size()))
        if (c >= 'A' && c <= 'Z')
            name += std::string(name.empty() ? "" : "_") + static_cast<char>(c - 'A' + 'a');
        else
            name += c;
    return name;
}

TEST(OptionList, ParametersOfFlash) {
    const std::string document = contents(std::filesystem::path(GRAVLET_SOURCE_DIR) / "docs/flash.md");
    std::istringstream config(
        contents(std::filesystem::path(GRAVLET_SOURCE_DIR) / "amr_adapter/flash/source/Grid/GridSolvers/Gravlet/Config"));
    const std::map<std::string, std::string> types = {
        {"number", "REAL"}, {"integer", "INTEGER"}, {"boolean", "BOOLEAN"}, {"word", "STRING"}, {"path", "STRING"}};
    const std::map<std::string, std::string> other_defaults = {// for a code that differences the potential; none is no file
                                                               {"theta", "0.8"},
                                                               {"order", "4"},
                                                               {"criterion", "opening"},
                                                               {"ewald_cache", "none"}};
    const std::set<std::string> units_own = {"grv_gravletReport", "grv_gravletTimers", "grv_gravletGuards", "grv_gravletLazy",
                                             "grv_gravletTimeStep"};
    std::string description;
    int parameters = 0;
    for (std::string line; std::getline(config, line);) {
        std::istringstream words(line);
        std::string first, name, type, value;
        words >> first >> name >> type >> value;
        if (!name.starts_with("grv_gravlet")) continue;
        if (units_own.contains(name)) {
            EXPECT_NE(document.find("| `" + name + "` |"), std::string::npos) << name << " is not in docs/flash.md";
            continue;
        }
        if (first == "D") description = line;
        if (first != "PARAMETER") continue;
        const auto option = std::ranges::find(option_list(), option_of(name), &OptionInfo::name);
        ASSERT_NE(option, option_list().end()) << name;
        EXPECT_EQ(description, fmt::format("D {} {}{}", name, option->help, option->range.empty() ? "" : " " + option->range));
        EXPECT_EQ(type, types.at(option->type)) << name;
        std::erase(value, '"');
        if (type == "BOOLEAN") value = value == "TRUE" ? "true" : "false";
        Options options;
        set_option(options, option->name, value);  // -1.0 is auto
        const auto other = other_defaults.find(option->name);
        EXPECT_EQ(get_option(options, option->name), other == other_defaults.end() ? option->default_value : other->second);
        EXPECT_NE(document.find("| `" + name + "` |"), std::string::npos) << name << " is not in docs/flash.md";
        ++parameters;
    }
    EXPECT_EQ(parameters, flash_parameters);
}

}  // namespace
}  // namespace gravlet
