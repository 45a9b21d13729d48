#include "cli/commands/comparison_view.hpp"

#include "output/console/comparison_table.hpp"
#include "output/export/comparison_export.hpp"
#include "output/text/text.hpp"

namespace mpsbench::cli {
namespace {

std::string comparison_text(const report::Comparison& comparison, const std::string& format, bool colour) {
  if (format == "csv") return output::comparison_csv(comparison);
  if (format == "md")
    return output::comparison_markdown(comparison) + "\n" + output::comparison_summary(comparison);
  return output::comparison_table(comparison, colour) + output::comparison_summary(comparison);
}

}  // namespace

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

}  // namespace mpsbench::cli
