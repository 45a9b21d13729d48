// The formats of `mpsbench export`: one or more reports as one text, which ends with a line break.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

struct ExportFormat {
  std::string name;
  // Of one report or more. Throws Error(usage) for reports that the format cannot hold together.
  std::string (*text)(const std::vector<schema::Report>& reports);
  bool leaves_out = false;  // cases without figures (see has_figures)
};

[[nodiscard]] const std::vector<ExportFormat>& export_formats();

// The cases of REPORTS, at least one, under the first one's host and run. Where hosts differ, "@HOST" is
// added to the ids. Throws Error(usage) for two cases that would be called alike.
[[nodiscard]] schema::Report joined(const std::vector<schema::Report>& reports);

}  // namespace mpsbench::output
