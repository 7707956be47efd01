// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gravlet/report.hpp>

#include <nlohmann/json.hpp>

namespace gravlet {

[[nodiscard]] inline nlohmann::ordered_json to_json(const ErrorStatistics& e) {
    return {{"samples", e.samples}, {"max", e.max},       {"p9999", e.p9999}, {"p999", e.p999},
            {"p99", e.p99},         {"median", e.median}, {"rms", e.rms},     {"worst", e.worst}};
}

[[nodiscard]] inline nlohmann::ordered_json to_json(const ToleranceReport& t) {
    return {{"asked", t.asked}, {"reached", t.reached}, {"kept", t.kept},
            {"floor", t.floor}, {"walks", t.walks},     {"solves_ago", t.solves_ago}};
}

}  // namespace gravlet
