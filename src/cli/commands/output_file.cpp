#include "cli/commands/output_file.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/place.hpp"
#include "base/units.hpp"
#include "cli/shell/options.hpp"
#include "output/text/cases.hpp"
#include "run/plan/places.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

namespace mpsbench::cli {
namespace {

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::ranges::find(names, name) != names.end();
}

// Returns text such as ".txt, .md" for the formats of PRINTED, each ending once.
std::string endings_of(const Printed& printed) {
  std::vector<std::string> endings;
  for (const std::string& name : printed.formats) {
    const std::string& ending = output::find_format(name)->ending;
    if (!is_one_of(ending, endings)) endings.push_back(ending);
  }
  return fmt::format("{}", fmt::join(endings, ", "));
}

// Throws Error(usage), with a hint if the file has a format's name, as in older versions.
const output::ExportFormat& format_of(const OutputChoice& choice, const Printed& printed) {
  const auto& [name, file] = choice;
  if (!name.empty()) return *output::find_format(name);
  const output::ExportFormat* format = file == kStdout ? nullptr : output::format_of_file(file);
  if (format != nullptr && is_one_of(format->name, printed.formats)) return *format;
  if (file == kStdout || printed.is_usual_for_files) {
    if (!printed.usual.empty()) return *output::find_format(printed.usual);
    throw base::usage_error(
        fmt::format("--format is missing; write -f FORMAT, one of {}", fmt::join(printed.formats, ", ")));
  }
  if (output::find_format(file) != nullptr)
    throw base::usage_error("-o names a file; for the format write -f " + file +
                            " (to write a file of this name: -o ./" + file + ")");
  throw base::usage_error("--output: the ending of " + base::excerpt(file) +
                          " names no format here; write -f FORMAT before -o, or use an ending out of " +
                          endings_of(printed));
}

// Returns FILE, or kStdout if it is empty or another name of stdout, such as /dev/stdout.
std::string named_output(const std::string& file) {
  return file.empty() || base::is_stdout(file) ? kStdout : file;
}

Printed printed_runs() {
  return {output::formats_with(&output::ExportFormat::report)};
}

// If the user writes each -o before its -f, the pairs shift by one. Then some file has the ending of another
// format.
void require_fitting_ending(const ChosenOutput& chosen) {
  const output::ExportFormat* format = output::format_of_file(chosen.file);
  if (format == nullptr || format->ending == chosen.format->ending) return;
  throw base::usage_error("-f " + chosen.format->name + " -o " + chosen.file +
                          ": the file's ending belongs to another format; write each -f before its -o");
}

void require_separate_places(const std::vector<ChosenOutput>& outputs) {
  for (auto one = outputs.begin(); one != outputs.end(); ++one) {
    for (auto before = outputs.begin(); before != one; ++before) {
      if (one->is_stdout() && before->is_stdout())
        throw base::usage_error("-f " + before->format->name + " and -f " + one->format->name +
                                " both go to stdout; write -o FILE after one of them");
      if (!one->is_stdout() && !before->is_stdout() && base::is_same_place(one->file, before->file))
        throw base::usage_error("--output: " + one->file + " is given twice; each format needs its own file");
    }
  }
}

}  // namespace

Printed printed_lists() {
  return {output::formats_with(&output::ExportFormat::list)};
}

void add_output_options(CLI::App& command, OutputChoice& choice, const Printed& printed) {
  std::string help = fmt::format("{}", fmt::join(printed.formats, ", "));
  help.replace(help.rfind(", "), 2, " or ");
  help += printed.usual.empty() ? " (default: by the file's ending)"
                                : " (default: by the file's ending, " + printed.usual + " on stdout)";
  take_only_names(*command.add_option("-f,--format", choice.format, help)->type_name("FORMAT"), "format",
                  printed.formats);
  command.add_option("-o,--output", choice.file, "file to write; - is stdout (default: -)")->type_name("FILE");
}

void refuse_damage(const ChosenOutput& chosen, const std::vector<std::string>& inputs, bool are_reports) {
  if (chosen.is_stdout()) return;
  std::error_code error;
  for (const std::string& input : inputs) {
    if (std::filesystem::exists(input, error) && base::is_same_place(input, chosen.file))
      throw base::usage_error("--output: " + chosen.file + " is a file that this command reads; choose another file");
  }
  const bool is_report = are_reports && chosen.format->name == "json";
  run::refuse_document(chosen.file, "--output", is_report ? run::Writes::report : run::Writes::text);
}

ChosenOutput chosen_output(const OutputChoice& choice, const Printed& printed, const std::vector<std::string>& inputs) {
  const OutputChoice named{choice.format, named_output(choice.file)};
  ChosenOutput chosen{&format_of(named, printed), named.file};
  refuse_damage(chosen, inputs, printed.are_reports);
  if (!chosen.is_stdout()) run::require_place(chosen.file, "--output");
  return chosen;
}

void write_output(const std::string& file, const std::string& text) {
  if (file == kStdout) {
    std::fputs(text.c_str(), stdout);
  } else {
    base::write_file(file, text);
  }
}

void write_list(const ChosenOutput& chosen, const nlohmann::ordered_json& entries,
                const std::optional<std::string>& table) {
  const bool is_table = table && chosen.format->name == "table";
  write_output(chosen.file, is_table ? *table : chosen.format->list(entries));
}

void warn_of_left_out(const std::vector<schema::Report>& reports, const output::ExportFormat& format) {
  if (!format.leaves_out) return;
  std::size_t all = 0;
  std::size_t left_out = 0;
  for (const schema::Report& report : reports) {
    all += report.cases.size();
    left_out += static_cast<std::size_t>(std::ranges::count_if(
        report.cases, [](const schema::CaseResult& result) { return !output::has_figures(result); }));
  }
  if (left_out > 0)
    base::log::warn(format.name +
                    " has no place for what was not measured: " + base::counted(left_out, "case", "cases") + " of " +
                    std::to_string(all) + (left_out == 1 ? " is" : " are") + " left out");
}

void add_paired_outputs(CLI::App& command, std::vector<OutputWord>& words) {
  const auto taker = [&words](bool is_file) {
    return [&words, is_file](const CLI::results_t& values) {
      words.push_back({is_file, is_file && !values.back().empty() ? named_output(values.back()) : values.back()});
      return true;
    };
  };
  const std::vector<std::string> names = printed_runs().formats;
  CLI::Option* format = command.add_option("-f,--format", taker(false),
                                           fmt::format("format of the next -o file, or of stdout if no -o follows: {} "
                                                       "(default: by the file's ending; table on stdout)",
                                                       fmt::join(names, ", ")));
  take_only_names(*format->type_name("FORMAT")->expected(1)->trigger_on_parse(), "format", names);
  command
      .add_option("-o,--output", taker(true),
                  "file to write the results to, in the format of the -f before it or of its own ending; - is "
                  "stdout; repeat -f and -o for more files")
      ->type_name("FILE")
      ->expected(1)
      ->trigger_on_parse();
}

std::vector<ChosenOutput> paired_outputs(const std::vector<OutputWord>& words) {
  for (const OutputWord& word : words) {
    if (word.is_file && word.text.empty()) throw base::usage_error("--output: must not be empty");
  }
  if (words.size() == 2 && words[0].is_file && !words[1].is_file)
    return {{output::find_format(words[1].text), words[0].text}};
  std::vector<ChosenOutput> outputs;
  const output::ExportFormat* waiting = nullptr;  // for its file
  for (const OutputWord& word : words) {
    const output::ExportFormat* format = std::exchange(waiting, nullptr);
    if (word.is_file) {
      outputs.push_back({format != nullptr ? format : &format_of({"", word.text}, printed_runs()), word.text});
      if (words.size() > 2) require_fitting_ending(outputs.back());
    } else {
      if (format != nullptr) outputs.push_back({format, kStdout});
      waiting = output::find_format(word.text);
    }
  }
  if (waiting != nullptr) outputs.push_back({waiting, kStdout});
  require_separate_places(outputs);
  return outputs;
}

}  // namespace mpsbench::cli
