// The columns of the metrics, made from the schema's table of metrics.
#pragma once

#include "output/text/columns.hpp"

#include <vector>

namespace mpsbench::output {

// Adds a metric's own column, followed by those of its interval and distribution: "step_seconds",
// "step_seconds_low", ..., "step_p90_seconds".
void add_metric_columns(std::vector<Column>& columns, const schema::MetricField& metric);

// Returns VALUE, a quantity in UNIT, as text for people; "–" for null.
[[nodiscard]] std::string text_in_unit(const Value& value, std::string_view unit);

}  // namespace mpsbench::output
