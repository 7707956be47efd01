// SPDX-License-Identifier: Apache-2.0
#include "tools/present/publish.hpp"

#include "hdf5/new_file.hpp"

#include <gravlet/error.hpp>

#include <iostream>

namespace gravlet {

void say(std::string_view text) {
    std::cout << text << std::flush;
    if (!std::cout) throw Error(ErrorCode::file, "standard output cannot be written (is the disk full?)");
}

void publish(const std::string& table, const std::string& json, const std::string& json_path) {
    std::cout << table << std::flush;
    if (!json_path.empty()) {
        NewFile file(json_path);
        file.write(json);
        file.commit();
    }
    say({});
}

}  // namespace gravlet
