// SPDX-License-Identifier: Apache-2.0
// C's options by name are those of C++.
#include "tests/hosts/c/c_arrays.hpp"

#include <gravlet/option_list.hpp>

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <string>

namespace gravlet::test {
namespace {

std::string get(const gravlet_options& options, const char* name) {
    char value[200] = "";
    EXPECT_EQ(gravlet_get_option(&options, name, value, sizeof value), GRAVLET_SUCCESS) << gravlet_error_message();
    return value;
}

TEST(COptions, ListIsThatOfCpp) {
    ASSERT_EQ(static_cast<std::size_t>(gravlet_option_count()), option_list().size());
    gravlet_option_info c{};
    for (std::int32_t i = 0; i < gravlet_option_count(); ++i) {
        ASSERT_EQ(gravlet_get_option_info(i, &c), GRAVLET_SUCCESS);
        const OptionInfo& option = option_list()[static_cast<std::size_t>(i)];
        EXPECT_EQ(c.name, option.name);
        EXPECT_EQ(c.type, option.type);
        EXPECT_EQ(c.range, option.range);
        EXPECT_EQ(c.default_value, option.default_value);
        EXPECT_EQ(c.help, option.help);
    }
    for (const std::int32_t beyond : {-1, gravlet_option_count()})
        EXPECT_EQ(gravlet_get_option_info(beyond, &c), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_get_option_info(0, nullptr), GRAVLET_INVALID_INPUT);
}

// Each has a place of its own in the struct.
TEST(COptions, EveryOptionThereAndBack) {
    const std::map<std::string, const char*> of_type = {{"number", "0.25"},
                                                        {"integer", "3"},
                                                        {"box", "[[0, 0, 0], [1, 1, 2]]"},
                                                        {"words", "[periodic, isolated, periodic]"},
                                                        {"path", "t.h5"}};
    for (const OptionInfo& option : option_list()) {
        std::string other = option.default_value == "true" ? "false" : "true";
        if (option.type == "word") other = option.range.substr(option.range.rfind(' ') + 1);
        if (option.name == "tolerance_at") other = "p9999";
        if (const auto found = of_type.find(option.type); found != of_type.end()) other = found->second;
        gravlet_options options = c_options();
        EXPECT_EQ(gravlet_set_option(&options, option.name.c_str(), other.c_str()), GRAVLET_SUCCESS) << gravlet_error_message();
        for (const OptionInfo& o : option_list())
            EXPECT_EQ(get(options, o.name.c_str()), o.name == option.name ? other : o.default_value) << option.name;
    }
    gravlet_options options = c_options();
    const char* const path = "t.h5";
    EXPECT_EQ(gravlet_set_option(&options, "ewald_cache", path), GRAVLET_SUCCESS);
    EXPECT_EQ(options.ewald_cache, path);
    EXPECT_EQ(gravlet_set_option(&options, "theta", "0.25"), GRAVLET_SUCCESS);
    EXPECT_EQ(options.theta, 0.25);
    EXPECT_EQ(options.ewald_cache, path);
    const char* const blanks = " a table.h5 ";
    EXPECT_EQ(gravlet_set_option(&options, " ewald_cache ", blanks), GRAVLET_SUCCESS) << gravlet_error_message();
    EXPECT_EQ(options.ewald_cache, blanks);
    EXPECT_EQ(get(options, "ewald_cache"), blanks);
    EXPECT_EQ(gravlet_set_option(&options, "ewald_cache", ""), GRAVLET_SUCCESS);
    EXPECT_EQ(options.ewald_cache, nullptr);
}

TEST(COptions, RefusedOnesChangeNothing) {
    gravlet_options options = c_options();
    const auto expect_refused = [&](const char* name, const char* value, int code, const std::string& text) {
        const gravlet_options before = options;
        EXPECT_EQ(gravlet_set_option(&options, name, value), code);
        EXPECT_NE(std::string(gravlet_error_message()).find(text), std::string::npos) << gravlet_error_message();
        EXPECT_EQ(std::memcmp(&options, &before, sizeof options), 0);
    };
    expect_refused("thta", "1", GRAVLET_INVALID_OPTION, "thta: unknown option; did you mean theta?");
    expect_refused("theta", "wide", GRAVLET_INVALID_OPTION, "theta is wide: expected a number or auto");
    expect_refused(nullptr, "1", GRAVLET_INVALID_INPUT, "name is NULL");
    expect_refused("theta", nullptr, GRAVLET_INVALID_INPUT, "value is NULL");
    EXPECT_EQ(gravlet_set_option(nullptr, "theta", "1"), GRAVLET_INVALID_INPUT);
    // Of a host that was compiled when there was no tolerance.
    options.size = offsetof(gravlet_options, tolerance);
    expect_refused("tolerance", "1e-3", GRAVLET_INVALID_OPTION,
                   "tolerance: this program was compiled with headers that do not have it");
    EXPECT_EQ(gravlet_set_option(&options, "alpha", "0.5"), GRAVLET_SUCCESS);
    options.size = 0;
    expect_refused("theta", "0.5", GRAVLET_INVALID_OPTION, "call gravlet_options_init() first");
}

// Behind the end of an older host's struct is memory that cannot even be read.
TEST(COptions, NothingBehindAnOlderStructIsRead) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), size = offsetof(gravlet_options, tolerance);
    void* const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(pages, MAP_FAILED);
    unsigned char* const end = static_cast<unsigned char*>(pages) + page;
    ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
    auto* const options = reinterpret_cast<gravlet_options*>(end - size);
    options->size = size;
    gravlet_options_set_defaults(options);
    EXPECT_EQ(gravlet_set_option(options, "alpha", "0.5"), GRAVLET_SUCCESS) << gravlet_error_message();
    EXPECT_EQ(options->alpha, 0.5);
    EXPECT_EQ(gravlet_set_option(options, "ewald_cache", "a.h5"), GRAVLET_SUCCESS) << gravlet_error_message();
    EXPECT_EQ(gravlet_set_option(options, "tolerance", "1e-3"), GRAVLET_INVALID_OPTION);
    char value[40] = "";
    EXPECT_EQ(gravlet_get_option(options, "alpha", value, sizeof value), GRAVLET_SUCCESS);
    EXPECT_STREQ(value, "0.5");
    munmap(pages, 2 * page);
}

TEST(COptions, ValuesThatDoNotFit) {
    const gravlet_options options = c_options();
    char value[8] = "before";
    EXPECT_EQ(gravlet_get_option(&options, "boundary", value, sizeof value), GRAVLET_INVALID_INPUT);
    EXPECT_STREQ(gravlet_error_message(), "boundary takes 9 characters, and value has 8");
    EXPECT_STREQ(value, "before");
    EXPECT_EQ(gravlet_get_option(&options, "backend", value, 5), GRAVLET_SUCCESS);
    EXPECT_STREQ(value, "auto");
}

}  // namespace
}  // namespace gravlet::test
