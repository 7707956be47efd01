// SPDX-License-Identifier: Apache-2.0
#include "tools/config/outputs.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

namespace gravlet {
namespace {

std::string full_key(const OutputKind& kind) { return std::string("output.") + kind.key; }

}  // namespace

const std::string& Outputs::operator[](std::string_view key) const {
    static const std::string none;
    const auto found = paths_.find(key);
    return found == paths_.end() ? none : found->second;
}

void Outputs::read(Section& section) {
    for (const OutputKind& kind : kinds_) section.path(kind.key, (*this)[kind.key], kind.meaning);
}

void Outputs::check() const {
    for (const OutputKind& kind : kinds_)
        if (*kind.source != '\0' && wants(kind.key) && !wants(kind.source))
            throw Error(ErrorCode::invalid_option,
                        fmt::format("{} {}: set output.{} too", full_key(kind), kind.why, kind.source));
}

void Outputs::add_to(FilePlan& plan, const std::string& going_on) const {
    for (const OutputKind& kind : kinds_) {
        if (kind.series)
            plan.series(full_key(kind), (*this)[kind.key], going_on);
        else
            plan.output(full_key(kind), (*this)[kind.key]);
    }
}

}  // namespace gravlet
