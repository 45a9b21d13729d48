// Columns of the metrics, made of the schema's table of them.
#pragma once

#include "output/text/columns.hpp"

#include <vector>

namespace mpsbench::output {

// Adds a metric's own column, then those of its interval and distribution: "step_seconds",
// "step_seconds_low", ..., "step_p90_seconds".
void add_metric_columns(std::vector<Column>& columns, const schema::MetricField& metric);

// People's words for VALUE, a quantity in UNIT; "–" for null.
[[nodiscard]] std::string text_in_unit(const Value& value, std::string_view unit);

}  // namespace mpsbench::output
