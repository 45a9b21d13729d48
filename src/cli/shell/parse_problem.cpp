#include "cli/shell/parse_problem.hpp"

#include "base/json_reader.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace mpsbench::cli {
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
    return "unknown option " + quoted +
           base::did_you_mean(word.substr(0, word.find('=')), option_names(innermost));
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
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr)
    return text.substr(0, text.find(' ')) + " is missing";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return text.substr(0, text.find(':')) +
           (text.ends_with(" missing") ? ": the value is missing" : ": given more than once; give it once");
  return text;
}

}  // namespace mpsbench::cli
