#include "arguments.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/units.hpp"
#include "suite/host.hpp"
#include "suite/option_forms.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace mpsbench::ops {
namespace {

std::int64_t number(const std::string& name, const std::string& text, std::int64_t most) {
  const auto value = base::parse_whole_number(text);
  if (value && *value >= 1 && *value <= most) return *value;
  throw base::usage_error(name + ": expected a whole number from 1 to " + std::to_string(most) + ", found '" +
                          base::excerpt(text) + "'");
}

// Returns false if NAME is not an option of this program.
bool take(Arguments& arguments, const std::string& name, const std::function<std::string()>& value) {
  if (name == "--device" || name == "-d") {
    arguments.devices = suite::each(suite::Form<suite::DeviceChoice>{suite::parse_device}).read(value(), "--device");
  } else if (name == "--threads") {
    arguments.threads = number(name, value(), 4096);
  } else if (name == "--front-pid") {
    arguments.front_pid = number(name, value(), std::numeric_limits<std::int32_t>::max());
  } else if (name == "--filter") {
    arguments.filter = suite::regular_expression().read(value(), "--filter");
  } else if (name == "--help" || name == "-h") {
    arguments.help = true;
  } else {
    return false;
  }
  return true;
}

constexpr const char* kOut = "--benchmark_out";
constexpr const char* kOutFormat = "--benchmark_out_format";

using NamedValues = std::map<std::string, std::vector<std::string>>;

const NamedValues& named_values() {
  static const NamedValues kAll{{"--benchmark_format", {"console", "json", "csv"}},
                                {kOutFormat, {"console", "json", "csv"}},
                                {"--benchmark_time_unit", {"ns", "us", "ms", "s"}}};
  return kAll;
}

// Calls VISIT(word, option, value) for each word of the form OPTION=VALUE.
template <typename Visit>
void for_each_value(std::vector<std::string>& words, const Visit& visit) {
  for (std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) visit(word, word.substr(0, equals), word.substr(equals + 1));
  }
}

// Leaves other forms, such as 100x of version 1.8, to Google Benchmark.
std::string min_time(const std::string& text) {
  const std::string number = text.ends_with('s') ? text.substr(0, text.size() - 1) : text;
  return base::parse_number(number) ? number + MPSBENCH_TIME_UNIT : text;
}

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // Both "--threads=2" and "--threads 2" are accepted.
    const std::string& word = words[i];
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto value = [&] {
      if (equals != std::string::npos) return word.substr(equals + 1);
      if (++i == words.size()) throw base::usage_error(name + ": the value is missing; see --help");
      return words[i];
    };
    if (!take(arguments, name, value)) arguments.others.push_back(word);
  }
  return arguments;
}

std::vector<std::string> benchmark_words(std::vector<std::string> words) {
  for_each_value(words, [](std::string& word, const std::string& option, const std::string& value) {
    if (option == kOut) base::require_writable_place(value, kOut);
    if (option == "--benchmark_min_time") word = option + "=" + min_time(value);
    const auto known = named_values().find(option);
    if (known == named_values().end() || std::ranges::find(known->second, value) != known->second.end()) return;
    throw base::usage_error(option + ": unknown value '" + base::excerpt(value) +
                            "'; known: " + base::join(known->second));
  });
  return words;
}

std::optional<FileOutput> take_file_output(std::vector<std::string>& words) {
  FileOutput output{"", "json"};
  for_each_value(words, [&output](std::string& word, const std::string& option, const std::string& value) {
    if (option == kOutFormat) output.format = value;
    if (option != kOut) return;
    output.file = value;
    word = option + "=/dev/null";
  });
  return output.file.empty() ? std::nullopt : std::optional(output);
}

}  // namespace mpsbench::ops
