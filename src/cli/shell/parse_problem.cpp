#include "cli/shell/parse_problem.hpp"

#include "base/json_reader.hpp"

#include <CLI/CLI.hpp>

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

// About the first word that is neither an option nor a command.
std::string unknown_word(CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& innermost = parsed.empty() ? app : *parsed.back();
  const std::vector<std::string> extras = app.remaining(true);
  const std::string word = extras.empty() ? "" : extras.front();
  const std::string quoted = "'" + base::excerpt(word) + "'";
  if (word.starts_with("-"))
    return "unknown option " + quoted + base::did_you_mean(word, option_names(innermost));
  if (parsed.empty()) return "unknown command " + quoted + base::did_you_mean(word, command_names(app));
  return innermost.get_name() + ": the word " + quoted + " is one too many; leave it out";
}

}  // namespace

std::string parse_problem(const CLI::ParseError& error, CLI::App& app) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unknown_word(app);
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
