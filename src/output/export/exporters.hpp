// A report as CSV, Markdown and JSON. Each function returns the whole text, which ends with a line break.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::output {

// RFC 4180. Cells that a spreadsheet would take for a formula get a leading apostrophe.
[[nodiscard]] std::string to_csv(const schema::Report& report);
// Returns the table of the terminal, in Markdown.
[[nodiscard]] std::string to_markdown(const schema::Report& report);
// Returns the same text as the report file.
[[nodiscard]] std::string to_json_text(const schema::Report& report);
// Returns one line per case, each the same object as in the report's "cases".
[[nodiscard]] std::string to_json_lines(const schema::Report& report);

}  // namespace mpsbench::output
