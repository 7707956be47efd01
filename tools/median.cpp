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
    const auto most = std::ranges::max_element(reports, {}, [](const Report& report) { return report.stages.size(); });
    std::vector<StageTime> stages = most->stages;
    for (StageTime& stage : stages) {
        const auto in = [&](const Report& report) {
            const auto found = std::ranges::find(report.stages, stage.name, &StageTime::name);
            return found != report.stages.end() ? *found : StageTime{};
        };
        stage = {stage.name, median_of(reports, [&](const Report& report) { return in(report).max; }),
                 median_of(reports, [&](const Report& report) { return in(report).mean; })};
    }
    return stages;
}

}  // namespace gravlet
