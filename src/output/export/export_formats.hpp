// The formats of documents, in one table: reports, comparisons and lists, for people and for other programs.
// Each writer returns the whole text, which ends with a line break.
#pragma once

#include "report/compare/compare.hpp"
#include "report/compare/machine_summary.hpp"
#include "schema/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::output {

// Two reports of one machine. Formats that cannot hold NOTES leave them out (see has_place_for_notes).
struct ComparisonDocument {
  const report::Comparison& comparison;
  const std::vector<std::string>& notes;
  bool is_coloured = false;
  bool is_open_failure = false;  // an undecided case is a failed test
};

// Machines and devices side by side. SUMMARY is of TABLE.
struct MachinesDocument {
  const report::MachineTable& table;
  const report::MachineSummary& summary;
  const std::vector<std::string>& notes;
  bool is_coloured = false;
  std::size_t width = 0;  // of a line
};

// A format has a writer for each kind of document that it can hold, and null for the others.
struct ExportFormat {
  std::string name;
  std::string help;
  std::string ending;  // of its files; -o without -f takes the first row with the ending of its file
  // Takes one report or more. Throws Error(usage) for reports that the format cannot hold together.
  std::string (*report)(const std::vector<schema::Report>&) = nullptr;
  // The same with the names of the reports' files, for a format that shows them.
  std::string (*named_report)(const std::vector<schema::Report>&, const std::vector<std::string>& files) = nullptr;
  std::string (*comparison)(const ComparisonDocument&) = nullptr;
  std::string (*machines)(const MachinesDocument&) = nullptr;
  // Takes an array of flat objects with the same keys.
  std::string (*list)(const nlohmann::ordered_json&) = nullptr;
  bool leaves_out = false;  // cases without figures (see has_figures)
  bool has_place_for_notes = true;
};

[[nodiscard]] const std::vector<ExportFormat>& export_formats();
// Returns null for an unknown name.
[[nodiscard]] const ExportFormat* find_format(std::string_view name);
// Returns the first format with the ending of FILE, or null if there is none.
[[nodiscard]] const ExportFormat* format_of_file(const std::string& file);
// Returns the kinds of documents that FORMAT can hold, in words.
[[nodiscard]] std::vector<std::string> documents_of(const ExportFormat& format);
// The names of the formats that have WRITER.
template <typename Writer>
[[nodiscard]] std::vector<std::string> formats_with(Writer ExportFormat::* writer) {
  std::vector<std::string> names;
  for (const ExportFormat& format : export_formats()) {
    if (format.*writer != nullptr) names.push_back(format.name);
  }
  return names;
}

// The cases of REPORTS, at least one, under the first one's host and run. If hosts differ, "@HOST" is added
// to the ids. Throws Error(usage) if two cases would have the same name.
[[nodiscard]] schema::Report joined(const std::vector<schema::Report>& reports);

}  // namespace mpsbench::output
