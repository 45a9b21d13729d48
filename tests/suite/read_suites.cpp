// A helper for schema_test.py that reads suites as mpsbench does. Without an argument it prints {option:
// where it is allowed}. For each file given it prints a JSON text: "ok" or the error message.
#include "base/error.hpp"
#include "base/json_file.hpp"
#include "suite/catalog.hpp"
#include "suite/option.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <string>

namespace {

using namespace mpsbench;

const char* place_of(suite::OptionGroup group) {
  switch (group) {
    case suite::OptionGroup::workload:
    case suite::OptionGroup::measuring:
      return "matrix";
    case suite::OptionGroup::output:
      return "suite";
    case suite::OptionGroup::command:
      return "command";
  }
  return "command";
}

std::string verdict(const char* file) {
  try {
    (void)suite::read_suite(base::read_json_file(file), file);
    return "ok";
  } catch (const base::Error& error) {
    return error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    nlohmann::json options;
    for (const suite::Option& option : suite::options())
      options[option.name] = {{"place", place_of(option.group)}, {"choices", option.choices}};
    std::puts(base::to_text(options).c_str());
  }
  for (int i = 1; i < argc; ++i) std::puts(base::to_text(nlohmann::json(verdict(argv[i]))).c_str());
  return 0;
}
