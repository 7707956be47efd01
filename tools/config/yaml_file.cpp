// SPDX-License-Identifier: Apache-2.0
#include "tools/config/yaml_file.hpp"

#include "hdf5/input_file.hpp"
#include "mpi/agreement.hpp"
#include "tools/config/alike.hpp"

#include <fmt/format.h>

#include <fstream>

namespace gravlet {
namespace {

constexpr int largest_text = 1 << 20;  // bytes

[[noreturn]] void invalid(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

YAML::Node parse(const std::string& text, const std::string& name) {
    try {
        return YAML::Load(text);
    } catch (const YAML::Exception& error) {
        invalid(name + ": not YAML: " + error.what());
    }
}

// "a.b=value": goes to key b of map a, which is made if it is not there; a wrong name is found like one in the file.
void apply_override(YAML::Node node, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) invalid("--set " + text + ": expected key=value, as solver.theta=0.3");
    std::string key = text.substr(0, equals);
    for (std::size_t dot = key.find('.'); dot != std::string::npos; dot = key.find('.')) {
        if (!(node.IsNull() || node.IsMap())) invalid(fmt::format("--set {}: {} has no keys inside", text, key));
        node.reset(node[key.substr(0, dot)]);
        key.erase(0, dot + 1);
    }
    if (!(node.IsNull() || node.IsMap() || !node.IsDefined())) invalid("--set " + text + ": it would set a key inside a value");
    node[key] = parse(text.substr(equals + 1), "--set " + text);
}

}  // namespace

YAML::Node parse_yaml(const std::string& text, const std::vector<std::string>& overrides, const std::string& name) {
    YAML::Node root = parse(text, name);
    for (const std::string& entry : overrides) apply_override(root, entry);
    return root;
}

std::string load_text(MPI_Comm comm, const std::string& path) {
    std::string text;
    int size = 0;
    for_all(comm, [&] {
        require_file(path);
        std::ifstream file(path, std::ios::binary);
        text.resize(largest_text);
        file.read(text.data(), largest_text);
        size = static_cast<int>(file.gcount());
        if (size == 0) throw Error(ErrorCode::file, path + ": cannot be read");
        if (size == largest_text) throw Error(ErrorCode::file, path + ": is too large for a description of a run");
    });
    communicate(comm, [&](const Agreed& all) { all.broadcast(&size, 1, 0); });
    agree(comm, [&] { text.resize(static_cast<std::size_t>(size)); });
    communicate(comm, [&](const Agreed& all) { all.broadcast(text.data(), size, 0); });
    return text;
}

}  // namespace gravlet
