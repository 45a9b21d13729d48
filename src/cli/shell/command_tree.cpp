#include "cli/shell/command_tree.hpp"

#include "base/resources.hpp"
#include "base/units.hpp"
#include "suite/catalog.hpp"
#include "suite/host.hpp"
#include "suite/option.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <functional>

namespace mpsbench::cli {

namespace {

// The names that OPTION takes, if its validator describes itself as "{a,b}" like CLI::IsMember; otherwise
// empty.
std::vector<std::string> members(CLI::Option& option) {
  try {
    const std::string text = option.get_validator(0)->get_description();
    if (text.size() < 2 || text.front() != '{' || text.back() != '}') return {};
    return base::split_list(text.substr(1, text.size() - 2)).value_or(std::vector<std::string>{});
  } catch (const CLI::OptionNotFound&) {
    return {};
  }
}

std::vector<std::string> values_of(const std::string& name) {
  const suite::Catalog catalog(base::share_folder());
  if (name == "SUITE") return catalog.suite_names();
  if (name == "device") return suite::device_completions();
  if (name == "model") {
    std::vector<std::string> names = catalog.model_names();
    names.emplace_back("all");
    return names;
  }
  const suite::Option* option = suite::find_option(name);
  return option != nullptr ? option->choices : std::vector<std::string>{};
}

bool names_a_file(const std::string& name) {
  const std::vector<std::string> kinds{"FILE", "DIR", "REPORT", "SUITE", "model"};
  return std::find(kinds.begin(), kinds.end(), name) != kinds.end();
}

Argument argument_of(CLI::Option& option) {
  Argument argument;
  argument.help = option.get_description();
  argument.values = members(option);
  const std::string name = option.get_positional() ? option.get_name(true) : option.get_single_name();
  if (option.get_positional()) {
    argument.names = {name};
    argument.value_name = name;
    argument.is_repeated = option.get_items_expected_max() > 1;
  } else {
    for (const std::string& one : option.get_snames()) argument.names.push_back("-" + one);
    for (const std::string& one : option.get_lnames()) argument.names.push_back("--" + one);
    // CLI11 appends the validators' descriptions to the type's name.
    const std::string type = option.get_type_name();
    if (option.get_items_expected_max() > 0) argument.value_name = type.substr(0, type.find(":{"));
  }
  if (argument.values.empty()) argument.values = values_of(name);
  const suite::Option* known = suite::find_option(name);
  argument.is_list = known != nullptr && known->kind == suite::OptionKind::list;
  argument.takes_files = names_a_file(argument.value_name) || names_a_file(name);
  return argument;
}

}  // namespace

Command command_tree(CLI::App& app) {
  Command command{app.get_name(), app.get_description(), app.get_footer(), {}, {}, {}};
  for (CLI::Option* option : app.get_options(std::function<bool(CLI::Option*)>())) {
    if (option->get_group().empty()) continue;  // hidden
    Argument argument = argument_of(*option);
    (option->get_positional() ? command.positionals : command.options).push_back(std::move(argument));
  }
  for (CLI::App* sub : app.get_subcommands(std::function<bool(CLI::App*)>()))
    command.commands.push_back(command_tree(*sub));
  return command;
}

}  // namespace mpsbench::cli
