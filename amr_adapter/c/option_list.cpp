// SPDX-License-Identifier: Apache-2.0
// C's options by name: those of C++, there and back.
#include "amr_adapter/c/handle.hpp"
#include "amr_adapter/c/members.hpp"

#include "api/text.hpp"

#include <gravlet/gravlet.h>
#include <gravlet/option_list.hpp>

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>

using namespace gravlet;

namespace {

/// The option of this name, if it is a path: C keeps the caller's pointer.
struct SetPath {
    std::string_view name;
    const char* value;

    template <class A, class B>
    void operator()(const char*, const A&, const B&) const {}
    void operator()(const char* of, const char*& c, const std::string&) const {
        if (of == name) c = value;
    }
};

}  // namespace

int gravlet_set_option(gravlet_options* options, const char* name, const char* value) {
    return guarded([&] {
        require(options, "options"), require(name, "name"), require(value, "value");
        Options wanted = to_options(*options);
        set_option(wanted, name, value);
        gravlet_options c{};
        std::memcpy(&c, options, options->size);  // no more is read or written than the host's struct has
        to_c(wanted, c);
        SetPath set{trimmed(name), *value != '\0' ? value : nullptr};
        for_each_option(c, wanted, set);
        if (get_option(to_options(c), name) != get_option(wanted, name))
            throw Error(ErrorCode::invalid_option,
                        fmt::format("{}: this program was compiled with headers that do not have it", name));
        std::memcpy(options, &c, c.size);
    });
}

int gravlet_get_option(const gravlet_options* options, const char* name, char* value, std::size_t size) {
    return guarded([&] {
        require(options, "options"), require(name, "name"), require(value, "value");
        const std::string text = get_option(to_options(*options), name);
        if (text.size() >= size)
            throw Error(ErrorCode::invalid_input,
                        fmt::format("{} takes {} characters, and value has {}", name, text.size() + 1, size));
        std::memcpy(value, text.c_str(), text.size() + 1);
    });
}

int32_t gravlet_option_count() {
    std::int32_t count = 0;
    guarded([&] { count = static_cast<std::int32_t>(option_list().size()); });
    return count;
}

int gravlet_get_option_info(std::int32_t index, gravlet_option_info* info) {
    return guarded([&] {
        require(info, "info");
        const auto list = option_list();
        if (index < 0 || static_cast<std::size_t>(index) >= list.size())
            throw Error(ErrorCode::invalid_input, fmt::format("option {} of {}", index, list.size()));
        const OptionInfo& option = list[static_cast<std::size_t>(index)];
        *info = {option.name.c_str(), option.type.c_str(), option.range.c_str(), option.default_value.c_str(),
                 option.help.c_str()};
    });
}
