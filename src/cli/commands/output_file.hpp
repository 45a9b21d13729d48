// What commands print, and where: -f/--format names a format and -o/--output a file.
#pragma once

#include "output/export/export_formats.hpp"
#include "schema/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace mpsbench::cli {

inline constexpr const char* kStdout = "-";

// -f and -o as the user wrote them; both may be absent.
struct OutputChoice {
  std::string format;
  std::string file;
};

// What a command can print.
struct Printed {
  std::vector<std::string> formats;
  std::string usual = "table";      // the format if the user names none; empty if the user must
  bool is_usual_for_files = false;  // it is also the format of a file whose ending names none
  bool are_reports = false;         // in the format json
};

// What commands that show lists can print.
[[nodiscard]] Printed printed_lists();

// A document's format and place.
struct ChosenOutput {
  const output::ExportFormat* format = nullptr;
  std::string file = kStdout;

  [[nodiscard]] bool is_stdout() const { return file == kStdout; }
};

void add_output_options(CLI::App& command, OutputChoice& choice, const Printed& printed);

// Reads CHOICE and proves that its file can be written (its folder is made) and is none of INPUTS, the files that the
// command reads, and no document that would be lost. Throws Error(usage).
[[nodiscard]] ChosenOutput chosen_output(const OutputChoice& choice, const Printed& printed,
                                         const std::vector<std::string>& inputs = {});
// Throws Error(usage) if CHOSEN, given with --output, is one of INPUTS or a document that would be lost. ARE_REPORTS:
// in the format json, reports are written.
void refuse_damage(const ChosenOutput& chosen, const std::vector<std::string>& inputs, bool are_reports);
// Writes the whole TEXT or nothing. Throws Error(incomplete).
void write_output(const std::string& file, const std::string& text);

// Writes ENTRIES, a list. For people, TABLE stands in its place, if it is given.
void write_list(const ChosenOutput& chosen, const nlohmann::ordered_json& entries,
                const std::optional<std::string>& table = std::nullopt);

// Warns if REPORTS have cases that FORMAT leaves out.
void warn_of_left_out(const std::vector<schema::Report>& reports, const output::ExportFormat& format);

// One -f or -o of the command line.
struct OutputWord {
  bool is_file = false;
  std::string text;
};

// Adds -f and -o, each of which may be given several times. WORDS receives them in the order of the command
// line.
void add_paired_outputs(CLI::App& command, std::vector<OutputWord>& words);

// Returns the outputs that WORDS ask for. An -o belongs to the -f directly before it; a single -f and a
// single -o belong together in either order. An -o alone takes the format of its ending, and an -f alone goes
// to stdout. Throws Error(usage), also if two outputs go to the same place.
[[nodiscard]] std::vector<ChosenOutput> paired_outputs(const std::vector<OutputWord>& words);

}  // namespace mpsbench::cli
