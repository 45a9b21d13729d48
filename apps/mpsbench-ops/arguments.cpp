#include "arguments.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "suite/device_names.hpp"

namespace mpsbench::ops {
namespace {

std::vector<std::string> device_names(const std::string& text) {
  const auto names = base::split_list(text);
  if (!names)
    throw base::usage_error("--device: expected names between commas, found '" + base::excerpt(text) + "'");
  for (const std::string& name : *names) {
    if (const std::string problem = suite::check_device_name(name); !problem.empty())
      throw base::usage_error("--device: " + base::excerpt(problem));
  }
  return *names;
}

std::int64_t thread_count(const std::string& text) {
  constexpr std::int64_t kMost = 4096;
  const auto number = base::parse_whole_number(text);
  if (number && *number >= 1 && *number <= kMost) return *number;
  throw base::usage_error("--threads: expected a whole number from 1 to " + std::to_string(kMost) +
                          ", found '" + base::excerpt(text) + "'");
}

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // "--threads=2" and "--threads 2" alike.
    const std::size_t equals = words[i].find('=');
    std::string name = words[i].substr(0, equals);
    if (name == "-d") name = "--device";
    if (name == "--help" || name == "-h") arguments.help = true;
    if (name != "--device" && name != "--threads") {
      arguments.others.push_back(words[i]);
      continue;
    }
    std::string value;
    if (equals != std::string::npos) {
      value = words[i].substr(equals + 1);
    } else if (++i < words.size()) {
      value = words[i];
    } else {
      throw base::usage_error(name + ": a value is missing; see --help");
    }
    if (name == "--device") arguments.devices = device_names(value);
    if (name == "--threads") arguments.threads = thread_count(value);
  }
  return arguments;
}

}  // namespace mpsbench::ops
