// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gravlet/options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gravlet::bench {

inline constexpr int order = 2;

struct Settings {
    int side = 100;  ///< cells along a rank's cube
    int boxes = Options{}.virtual_root_boxes;
    double theta = 0.8;
    std::vector<long> ranks{1000, 10000, 100000};
    int repeats = 5;
    bool sphere = false;  ///< all ranks of a Plummer sphere, with `points` each
    long points = 500;
    bool gpu = false;
    std::string json;
};

struct Run {
    std::size_t near = 0, imported_nodes = 0, imported_cells = 0;
    double roots = 0.0, essential = 0.0, complete = 0.0;
    std::size_t root_bytes = 0;  ///< host memory for the table of all virtual roots
    std::size_t bytes = 0;       ///< memory for all else: what is sent, what arrives, the completed tree
};

/// Name of what measures there, and the runs of so many ranks.
[[nodiscard]] std::string gpu_name();
[[nodiscard]] std::vector<Run> measure_on_gpu(const Settings& settings, long ranks);

}  // namespace gravlet::bench
