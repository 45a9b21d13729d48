// A report in the formats of --output and export. Each exporter gives the whole text, which ends with a line
// break.
#pragma once

#include "schema/report.hpp"
#include "suite/output_format.hpp"

#include <map>
#include <string>

namespace mpsbench::output {

// RFC 4180; cells that a spreadsheet would take for a formula get a leading apostrophe.
[[nodiscard]] std::string to_csv(const schema::Report& report);
// The console's table as a Markdown one.
[[nodiscard]] std::string to_markdown(const schema::Report& report);
// The report file itself.
[[nodiscard]] std::string to_json_text(const schema::Report& report);
// One case a line, each as it stands in the report's "cases".
[[nodiscard]] std::string to_json_lines(const schema::Report& report);

using Exporter = std::string (*)(const schema::Report&);
// Of all formats but the table.
[[nodiscard]] const std::map<suite::OutputFormat, Exporter>& exporters();

}  // namespace mpsbench::output
