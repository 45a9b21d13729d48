#include "benchmark_words.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "suite/option_forms.hpp"

#include <algorithm>

namespace mpsbench::ops {
namespace {

constexpr const char* kOut = "--benchmark_out";
constexpr const char* kOutFormat = "--benchmark_out_format";

struct NamedValues {
  const char* option;
  std::vector<std::string> values;
};

const std::vector<NamedValues>& named_values() {
  static const std::vector<NamedValues> kAll{{"--benchmark_format", {"console", "json", "csv"}},
                                             {kOutFormat, {"console", "json", "csv"}},
                                             {"--benchmark_time_unit", {"ns", "us", "ms", "s"}}};
  return kAll;
}

// Leaves other forms, such as 100x of version 1.8, to Google Benchmark.
std::string min_time(const std::string& text) {
  const std::string number = text.ends_with('s') ? text.substr(0, text.size() - 1) : text;
  return base::parse_number(number) ? number + MPSBENCH_TIME_UNIT : text;
}

}  // namespace

std::vector<std::string> benchmark_words(std::vector<std::string> words) {
  for (std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const std::string option = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (option == kOut) base::require_writable_place(value, kOut);
    if (option == "--benchmark_min_time") word = option + "=" + min_time(value);
    for (const NamedValues& one : named_values()) {
      if (option == one.option && std::ranges::find(one.values, value) == one.values.end())
        throw base::usage_error(option + ": unknown value '" + base::excerpt(value) +
                                "'; known: " + suite::join(one.values));
    }
  }
  return words;
}

std::optional<FileOutput> take_file_output(std::vector<std::string>& words) {
  FileOutput output{"", "json"};
  for (std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) continue;
    const std::string option = word.substr(0, equals);
    if (option == kOutFormat) output.format = word.substr(equals + 1);
    if (option != kOut) continue;
    output.file = word.substr(equals + 1);
    word = option + "=/dev/null";
  }
  return output.file.empty() ? std::nullopt : std::optional(output);
}

}  // namespace mpsbench::ops
