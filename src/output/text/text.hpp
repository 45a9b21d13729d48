// Prepares text from reports for a terminal, a Markdown page or a spreadsheet.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::output {

inline constexpr const char* kNone = "–";  // shown if there is no figure
// Shown in place of an interval if only one launch was measured. This is also the flag of such cases.
inline constexpr const char* kWithinLaunch = "within-launch";

// Returns the number of terminal cells that TEXT takes: one per UTF-8 code point. TEXT must come from
// printable().
[[nodiscard]] std::size_t display_width(std::string_view text);

// Returns TEXT in which "?" replaces everything that could control a terminal or reorder its line: control
// characters (also line breaks and tabs), escapes, bidirectional overrides, and bytes that are not UTF-8.
[[nodiscard]] std::string printable(std::string_view text);

// Returns at most WIDTH cells of TEXT, made printable. If it is shortened, it ends with "…".
[[nodiscard]] std::string truncate(std::string_view text, std::size_t width);

// Returns TEXT, which is not empty, with a capital letter at its start and a full stop.
[[nodiscard]] std::string sentence(std::string text);

// Returns TEXT as one word of a POSIX shell; unchanged if it needs no quotes.
[[nodiscard]] std::string quoted_for_shell(const std::string& text);

// Returns TEXT filled up with blanks to WIDTH cells, on its left (for numbers) or right.
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t width);
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t width);

// Quotes text from reports for CSV cells, Markdown cells and XML.

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

// Short case ids for tables that people read.

// Returns IDS ("mlp/train/cpu/b64/fp32/eager/synthetic+seed=1") without the precision, engine and data set if
// all ids have the same one: "mlp/train/cpu/b64+seed=1".
[[nodiscard]] std::vector<std::string> short_ids(const std::vector<std::string>& ids);

}  // namespace mpsbench::output
