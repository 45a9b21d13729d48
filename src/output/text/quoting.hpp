// Quotes text from reports for CSV cells, Markdown cells and XML.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace mpsbench::output {

// Makes TEXT printable, quotes it if RFC 4180 requires it, and makes sure that no spreadsheet takes it for a
// formula.
[[nodiscard]] std::string csv_text_cell(const std::string& text);
// Returns a CSV table of flat objects that all have the same keys: a line of headings, then one line per
// object. Null becomes an empty cell.
[[nodiscard]] std::string csv_of(const std::vector<nlohmann::ordered_json>& rows);
// Makes TEXT printable and escapes it, so that Markdown and HTML show it literally.
[[nodiscard]] std::string markdown_cell(const std::string& text);
// Makes TEXT printable and escapes it for an XML 1.0 attribute in double quotes, or between tags.
[[nodiscard]] std::string xml_text(const std::string& text);

}  // namespace mpsbench::output
