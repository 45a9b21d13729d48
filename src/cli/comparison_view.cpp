#include "cli/comparison_view.hpp"

#include "output/comparison_export.hpp"
#include "output/comparison_table.hpp"
#include "output/text.hpp"

#include <cstdint>
#include <utility>

namespace mpsbench::cli {
namespace {

using report::Verdict;

std::string comparison_text(const report::Comparison& comparison, const std::string& format, bool colour) {
  if (format == "csv") return output::comparison_csv(comparison);
  if (format == "md")
    return output::comparison_markdown(comparison) + "\n" + output::comparison_summary(comparison);
  return output::comparison_table(comparison, colour) + output::comparison_summary(comparison);
}

}  // namespace

std::vector<std::string> notes_of(report::Comparability found, bool force) {
  if (!found.obstacles.empty() && !force)
    throw base::Error(base::ErrorKind::not_comparable,
                      "the reports cannot be compared: " + found.obstacles.front() +
                          "; --force compares them all the same");
  found.obstacles.insert(found.obstacles.end(), found.caveats.begin(), found.caveats.end());
  return std::move(found.obstacles);
}

void print_notes(const std::vector<std::string>& notes, const std::string& format, std::FILE* stream) {
  std::FILE* out = format == "csv" || format == "junit" ? stderr : stream;
  const char* lead = format == "md" ? "- " : "note: ";
  if (format == "md" && !notes.empty()) std::fputs("\n", out);
  for (const std::string& note : notes) std::fprintf(out, "%s%s\n", lead, output::printable(note).c_str());
}

void print_comparison(const report::Comparison& comparison, const std::vector<std::string>& notes,
                      const std::string& format, bool colour, std::FILE* stream) {
  if (format == "json") {
    std::fputs(output::comparison_json(comparison, notes).c_str(), stream);
    return;
  }
  std::fputs(comparison_text(comparison, format, colour).c_str(), stream);
  print_notes(notes, format, stream);
}

base::ExitCode gate_outcome(const report::Comparison& comparison, const GateRules& rules) {
  const std::int64_t left_out = comparison.count(Verdict::not_compared);
  if (left_out == static_cast<std::int64_t>(comparison.cases.size())) return base::ExitCode::not_comparable;
  const bool regression = rules.fail_on_regression && comparison.count(Verdict::slower) > 0;
  const bool open = rules.fail_on_undecided && comparison.count(Verdict::undecided) + left_out > 0;
  return regression || open ? base::ExitCode::regression : base::ExitCode::ok;
}

}  // namespace mpsbench::cli
