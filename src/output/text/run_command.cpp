#include "output/text/run_command.hpp"

#include "output/text/text.hpp"
#include "schema/case_spec.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

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

}  // namespace

std::string run_command(const std::string& id) {
  const schema::CaseId work = schema::CaseId(id).without_own_options();
  std::string command = "mpsbench run";
  for (std::size_t at = 0; at < std::min(work.parts.size(), std::size(kParts)); ++at) {
    const Part& part = kParts[at];
    if (part.option == nullptr || work.parts[at] == part.usual) continue;
    const std::size_t begin = at == schema::CaseId::batch && !work.parts[at].empty() ? 1 : 0;
    command += std::string(" ") + part.option + " " + quoted_for_shell(work.parts[at].substr(begin));
  }
  for (const std::string& text : work.options) {
    const schema::IdOption option(text);
    command += " --" + option.name + (option.value == "true" ? "" : " " + quoted_for_shell(option.value));
  }
  return command;
}

}  // namespace mpsbench::output
