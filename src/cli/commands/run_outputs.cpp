#include "cli/commands/run_outputs.hpp"

#include "base/error.hpp"
#include "base/place.hpp"
#include "cli/shell/only_names.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace mpsbench::cli {
namespace {

const Printed& printed_reports() {
  static const Printed kPrinted{output::formats_with(&output::ExportFormat::report)};
  return kPrinted;
}

// Returns the output for an -o without an -f.
ChosenOutput by_ending(const std::string& file) {
  return {file == kStdout ? output::find_format("table") : &format_by_ending(file, printed_reports()), file};
}

// If the user writes each -o before its -f, the pairs shift by one. Then some file has the ending of another
// format.
void require_fitting_ending(const ChosenOutput& chosen) {
  const output::ExportFormat* format = output::format_of_file(chosen.file);
  if (format == nullptr || format->ending == chosen.format->ending) return;
  throw base::usage_error("-f " + chosen.format->name + " -o " + chosen.file +
                          ": the file's ending belongs to another format; write each -f before its -o");
}

bool go_to_one_place(const ChosenOutput& one, const ChosenOutput& other) {
  if (one.is_stdout() || other.is_stdout()) return one.file == other.file;
  return base::is_same_place(one.file, other.file);
}

void require_separate_places(const std::vector<ChosenOutput>& outputs) {
  for (auto one = outputs.begin(); one != outputs.end(); ++one) {
    const auto other = std::find_if(
        outputs.begin(), one, [&](const ChosenOutput& before) { return go_to_one_place(*one, before); });
    if (other == one) continue;
    if (one->is_stdout())
      throw base::usage_error("-f " + other->format->name + " and -f " + one->format->name +
                              " both go to stdout; write -o FILE after one of them");
    throw base::usage_error("--output: " + one->file + " is given twice; each format needs its own file");
  }
}

}  // namespace

void add_paired_outputs(CLI::App& command, std::vector<OutputWord>& words) {
  const auto taker = [&words](bool is_file) {
    return [&words, is_file](const CLI::results_t& values) {
      words.push_back(
          {is_file, is_file && !values.back().empty() ? named_output(values.back()) : values.back()});
      return true;
    };
  };
  const std::vector<std::string>& names = printed_reports().formats;
  CLI::Option* format =
      command.add_option("-f,--format", taker(false),
                         fmt::format("format of the next -o file, or of stdout if no -o follows: {} "
                                     "(default: by the file's ending; table on stdout)",
                                     fmt::join(names, ", ")));
  take_only_names(*format->type_name("FORMAT")->expected(1)->trigger_on_parse(), "format", names);
  command
      .add_option(
          "-o,--output", taker(true),
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
      outputs.push_back(format != nullptr ? ChosenOutput{format, word.text} : by_ending(word.text));
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
