#include "run/versus_command.hpp"

#include "output/text/text.hpp"
#include "report/host/privacy.hpp"

#include <algorithm>
#include <iterator>

namespace mpsbench::run {

std::string versus_command(const std::vector<std::string>& argv) {
  constexpr const char* kLeftOut[] = {"--baseline", "--export-json", "--repeats", "-r"};
  std::string command = "mpsbench";
  for (std::size_t at = 1; at < argv.size(); ++at) {
    const std::string name = argv[at].substr(0, argv[at].find('='));
    const bool is_short = name.starts_with("-r") && name.size() > 2;  // -r5
    if (std::ranges::find(kLeftOut, name) == std::end(kLeftOut) && !is_short) {
      command += " " + output::quoted_for_shell(report::expand_home(argv[at]));
    } else if (name == argv[at] && !is_short) {
      ++at;  // its value
    }
  }
  return command + " --versus OLD/mpsbench-worker";
}

}  // namespace mpsbench::run
