#include "output/text/run_command.hpp"

#include "output/text/text.hpp"
#include "report/compare/case_order.hpp"

#include <algorithm>
#include <cstddef>

namespace mpsbench::output {
namespace {

// How a part of an id is an option, in the order of the parts, and its default, which needs no option.
struct Part {
  const char* option;  // null: not part of the work
  const char* usual;
};
constexpr Part kParts[] = {{"-m", ""},
                           {"--mode", ""},
                           {nullptr, ""},
                           {"-b", ""},
                           {"--precision", "fp32"},
                           {"--engine", "eager"},
                           {"--dataset", "synthetic"}};

std::string option_of(const std::string& text) {
  const std::size_t equal = text.find('=');
  const std::string value = equal == std::string::npos ? "true" : text.substr(equal + 1);
  return " --" + text.substr(0, equal) + (value == "true" ? "" : " " + quoted_for_shell(value));
}

}  // namespace

std::string run_command(const std::string& id) {
  const std::string work = report::without_own_options(id);
  const std::size_t end = std::min(work.find('+'), work.size());
  std::string command = "mpsbench run";
  std::size_t begin = 0;
  for (const Part& part : kParts) {
    if (begin > end) break;
    const std::size_t slash = std::min(work.find('/', begin), end);
    std::string value = work.substr(begin, slash - begin);
    begin = slash + 1;
    if (part.option == nullptr || value == part.usual) continue;
    if (part.option == std::string("-b")) value = value.substr(std::min<std::size_t>(1, value.size()));
    command += std::string(" ") + part.option + " " + quoted_for_shell(value);
  }
  for (std::size_t at = end; at < work.size();) {
    const std::size_t next = std::min(work.find('+', at + 1), work.size());
    command += option_of(work.substr(at + 1, next - at - 1));
    at = next;
  }
  return command;
}

}  // namespace mpsbench::output
