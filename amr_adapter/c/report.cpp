// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/c/handle.hpp"
#include "amr_adapter/c/members.hpp"

#include <gravlet/gravlet.h>
#include <gravlet/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace gravlet {
namespace {

/// A member of C's from that of C++. What is not there is -1, a struct of zeros, and of a list there is the length.
struct ToC {
    template <class A, class B>
    void operator()(A& c, const B& cpp) const {
        c = static_cast<A>(cpp);
    }
    void operator()(double (&c)[3], const std::array<double, 3>& cpp) const { std::ranges::copy(cpp, c); }
    template <class T>
    void operator()(std::int32_t& c, const std::vector<T>& cpp) const {
        c = static_cast<std::int32_t>(cpp.size());
    }
    void operator()(double& c, const std::optional<double>& cpp) const { c = cpp.value_or(-1.0); }
    template <class A, class B>
    void operator()(A& c, const std::optional<B>& cpp) const {
        c = {};
        if (cpp) for_each_member(c, *cpp, *this);
    }
};

/// Element `index` of a list of strings, or "".
const char* text_at(const std::vector<std::string>& list, std::int32_t index) {
    return index >= 0 && static_cast<std::size_t>(index) < list.size() ? list[static_cast<std::size_t>(index)].c_str() : "";
}

}  // namespace
}  // namespace gravlet

using namespace gravlet;

int gravlet_fill_report(const gravlet_solver* solver, gravlet_report* host) {
    return guarded([&] {
        require_solver(solver), require(host, "report");
        const Report& report = solver->solver->report();
        gravlet_report c{};
        c.size = host->size;
        for_each_member(c, report, ToC{});
        std::memcpy(host, &c, std::min(c.size, sizeof c));
    });
}

int gravlet_get_stage(const gravlet_solver* solver, std::int32_t index, gravlet_stage_time* c) {
    return guarded([&] {
        require_solver(solver), require(c, "stage");
        const auto& stages = solver->solver->report().stages;
        if (index < 0 || static_cast<std::size_t>(index) >= stages.size())
            throw Error(ErrorCode::invalid_input, fmt::format("stage {} of {}", index, stages.size()));
        const StageTime& stage = stages[static_cast<std::size_t>(index)];
        *c = {stage.name.c_str(), stage.max, stage.mean};
    });
}

const char* gravlet_get_warning(const gravlet_solver* solver, std::int32_t index) {
    return solver == nullptr ? "" : text_at(solver->solver->report().warnings, index);
}

const char* gravlet_get_backend(const gravlet_solver* solver) {
    return solver == nullptr ? "" : solver->solver->report().backend.c_str();
}

const char* gravlet_report_text(gravlet_solver* solver) {
    if (solver == nullptr) return "";
    guarded([&] { solver->report_text = to_string(solver->solver->report()); });
    return solver->report_text.c_str();
}

const char* gravlet_version() { return GRAVLET_VERSION; }
int gravlet_version_number() { return GRAVLET_VERSION_NUMBER; }

const char* gravlet_backend_name(std::int32_t index) {
    const char* name = "";
    guarded([&] {
        static const std::vector<std::string> names = backends();
        name = text_at(names, index);
    });
    return name;
}
