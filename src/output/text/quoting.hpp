// Text from reports as cells of CSV and Markdown tables, and in XML.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace mpsbench::output {

// Printable, quoted where RFC 4180 asks for it, and no formula for a spreadsheet that opens the file.
[[nodiscard]] std::string csv_text_cell(const std::string& text);
// Flat objects with the same keys as a CSV table: headings, then a line each. Null is an empty cell.
[[nodiscard]] std::string csv_of(const std::vector<nlohmann::ordered_json>& rows);
// Printable text that Markdown and HTML take literally.
[[nodiscard]] std::string markdown_cell(const std::string& text);
// Printable text for an XML 1.0 attribute in double quotes, or between tags.
[[nodiscard]] std::string xml_text(const std::string& text);

}  // namespace mpsbench::output
