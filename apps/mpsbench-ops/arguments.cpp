#include "arguments.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "suite/host.hpp"
#include "suite/option_forms.hpp"

#include <functional>
#include <limits>

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

}  // namespace mpsbench::ops
