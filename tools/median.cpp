// SPDX-License-Identifier: Apache-2.0
#include "tools/median.hpp"

#include <algorithm>
#include <utility>

namespace gravlet {

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

double median_of(const std::vector<Report>& reports, const std::function<double(const Report&)>& value) {
    std::vector<double> values;
    for (const Report& report : reports) values.push_back(value(report));
    return median(std::move(values));
}

std::vector<StageTime> median_stages(const std::vector<Report>& reports) {
    std::vector<StageTime> stages = reports.front().stages;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        stages[i].max = median_of(reports, [i](const Report& report) { return report.stages.at(i).max; });
        stages[i].mean = median_of(reports, [i](const Report& report) { return report.stages.at(i).mean; });
    }
    return stages;
}

}  // namespace gravlet
