#include "cli/shell/options.hpp"

#include "base/json_reader.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mpsbench::cli {

CLI::Option& add_option(CLI::App& command, const suite::Option& option, suite::Settings& settings) {
  const std::string names = (option.short_name.empty() ? "" : "-" + option.short_name + ",") + "--" + option.name;
  if (option.kind == suite::OptionKind::flag) {
    const auto take = [&settings, &option] { option.set(settings, "true", "--" + option.name); };
    return *command.add_flag_callback(names, take, option.help);
  }
  const auto take = [&settings, &option](const CLI::results_t& values) {
    option.set(settings, fmt::format("{}", fmt::join(values, ",")), "--" + option.name);
    return true;
  };
  CLI::Option* added = command.add_option(names, take, option.help)->type_name(option.value_name);
  added->expected(1);
  if (option.kind == suite::OptionKind::list)
    added->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return *added;
}

void add_options(CLI::App& command, std::initializer_list<const char*> names, suite::Settings& settings) {
  for (const char* name : names) add_option(command, *suite::find_option(name), settings);
}

CLI::Option& take_only_names(CLI::Option& option, const std::string& what, const std::vector<std::string>& names) {
  const auto refusal = [what, names](const std::string& name) {
    if (std::ranges::find(names, name) != names.end()) return std::string();
    const std::string problem =
        name.empty() ? fmt::format("found an empty value, expected a {}", what)
                     : fmt::format("unknown {} '{}'{}", what, base::excerpt(name), base::did_you_mean(name, names));
    return fmt::format("{}; known: {}", problem, fmt::join(names, ", "));
  };
  // Completion and --help read the names from this description, as from that of CLI::IsMember.
  return *option.check(CLI::Validator(refusal, fmt::format("{{{}}}", fmt::join(names, ",")), what));
}

namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool is_option(const std::string& word) {
  return word.starts_with('-');
}

// Returns the problem with the first of EXTRAS, the words that are neither options nor commands.
std::string unknown_word(const CLI::App& app, const std::vector<std::string>& extras) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& innermost = parsed.empty() ? app : *parsed.back();
  const auto option = std::ranges::find_if(extras, is_option);
  const std::string word = option != extras.end() ? *option : extras.empty() ? "" : extras.front();
  const std::string quoted = "'" + base::excerpt(word) + "'";
  if (is_option(word))
    return "unknown option " + quoted + base::did_you_mean(word.substr(0, word.find('=')), option_names(innermost));
  if (parsed.empty()) return "unknown command " + quoted + base::did_you_mean(word, command_names(app));
  return innermost.get_name() + ": the word " + quoted + " is one too many; leave it out";
}

}  // namespace

std::string parse_problem(const CLI::ParseError& error, CLI::App& app) {
  std::string text = error.what();
  // Commands that pass words on to another program may have any.
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const bool takes_any = !parsed.empty() && parsed.back()->get_allow_extras();
  const std::vector<std::string> extras = takes_any ? std::vector<std::string>() : app.remaining(true);
  // An unknown option comes first: the parser takes its value for a word of the command.
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr || std::ranges::any_of(extras, is_option))
    return unknown_word(app, extras);
  // The parser's texts begin with the name: "WHAT is required", "--model: 1 required NAME missing",
  // "--seed: At Most 1 required but received 2".
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) return text.substr(0, text.find(' ')) + " is missing";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return text.substr(0, text.find(':')) +
           (text.ends_with(" missing") ? ": the value is missing" : ": given more than once; give it once");
  return text;
}

}  // namespace mpsbench::cli
