// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/c/handle.hpp"
#include "amr_adapter/c/members.hpp"

#include <gravlet/gravlet.h>
#include <gravlet/options.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>

namespace gravlet {
namespace {

/// A member of C++ from that of C, which is a number in place of an enum or a truth value.
struct FromC {
    template <class A, class B>
    void operator()(const char*, const A& c, B& cpp) const {
        cpp = static_cast<B>(c);
    }
    template <class A, class B>
    void operator()(const char*, const A (&c)[3], std::array<B, 3>& cpp) const {
        for (std::size_t i = 0; i < 3; ++i) cpp[i] = static_cast<B>(c[i]);
    }
    template <class Flag, class Corner>
    void operator()(const char*, BoxMembers<Flag, Corner> c, std::optional<Box>& cpp) const {
        cpp.reset();
        if (c.is_there != 0) cpp = Box{std::to_array(c.lower), std::to_array(c.upper)};
    }
    void operator()(const char*, const char* c, std::string& cpp) const { cpp = c != nullptr ? c : ""; }
};

/// The other way. Paths are left alone: C's struct has pointers to what is the caller's.
struct ToC {
    template <class A, class B>
    void operator()(const char*, A& c, const B& cpp) const {
        c = static_cast<A>(cpp);
    }
    template <class A, class B>
    void operator()(const char*, A (&c)[3], const std::array<B, 3>& cpp) const {
        for (std::size_t i = 0; i < 3; ++i) c[i] = static_cast<A>(cpp[i]);
    }
    template <class Flag, class Corner>
    void operator()(const char*, BoxMembers<Flag, Corner> c, const std::optional<Box>& cpp) const {
        c.is_there = cpp ? 1 : 0;
        const Box box = cpp.value_or(Box{});
        std::ranges::copy(box.lower, c.lower);
        std::ranges::copy(box.upper, c.upper);
    }
    void operator()(const char*, const char*&, const std::string&) const {}
};

gravlet_options all_defaults() {
    const Options defaults;
    gravlet_options c{};
    c.size = sizeof c;
    for_each_option(c, defaults, ToC{});
    return c;
}

}  // namespace

/// Numbers that stand for nothing are found by validate(), where all ranks hear of them.
Options to_options(const gravlet_options& host) {
    if (host.size < sizeof host.size || host.size > sizeof host)
        throw Error(ErrorCode::invalid_option,
                    fmt::format("gravlet_options has size {}, and this gravlet's has {}: call gravlet_options_init() first",
                                host.size, sizeof host));
    gravlet_options c = all_defaults();
    std::memcpy(&c, &host, host.size);
    Options options;
    for_each_option(c, options, FromC{});
    return options;
}

void to_c(const Options& options, gravlet_options& host) {
    gravlet_options c = all_defaults();
    std::memcpy(&c, &host, host.size);  // its paths
    for_each_option(c, options, ToC{});
    std::memcpy(&host, &c, host.size);
}

}  // namespace gravlet

void gravlet_options_set_defaults(gravlet_options* options) {
    if (options == nullptr) return;
    gravlet_options all = gravlet::all_defaults();
    all.size = options->size;
    std::memcpy(options, &all, std::min(all.size, sizeof all));
}
