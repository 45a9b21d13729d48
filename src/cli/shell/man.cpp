#include "cli/shell/man.hpp"

#include "cli/shell/command_tree.hpp"
#include "schema/host.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <sstream>

namespace mpsbench::cli {
namespace {

// Returns TEXT as one line of running text. roff would take a dot or quote at its beginning for a request.
std::string escaped(const std::string& text) {
  const std::string safe = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  const bool request = !safe.empty() && (safe.front() == '.' || safe.front() == '\'');
  return request ? "\\&" + safe : safe;
}

std::string section(const std::string& title) {
  return ".SH " + title + "\n";
}

std::string bold(const std::string& text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string tagged(const std::string& tag, const std::string& text) {
  return ".TP\n" + tag + "\n" + escaped(text) + "\n";
}

std::string option_text(const Argument& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  const std::string value = option.takes_value() ? " " + italic(option.value_name) : "";
  return tagged(joined(names, ", ") + value, option.help);
}

// Keeps the line breaks of TEXT.
std::string as_written(const std::string& text) {
  std::string lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines += (line.empty() ? "\\&" : escaped(line)) + "\n";
  return ".nf\n" + lines + ".fi\n";
}

std::string command_text(const Command& command) {
  std::string usage = bold("mpsbench " + command.name) + " [" + italic("options") + "]";
  for (const Argument& positional : command.positionals)
    usage += " " + italic(positional.value_name) + (positional.is_repeated ? "..." : "");
  std::string text = ".SS " + bold(command.name) + "\n" + usage + "\n.PP\n" + escaped(command.help) +
                     (command.help.ends_with('.') ? "\n" : ".\n");
  for (const Argument& positional : command.positionals) text += tagged(italic(positional.value_name), positional.help);
  for (const Argument& option : command.options) text += option_text(option);
  return text + (command.footer.empty() ? "" : ".PP\n" + as_written(command.footer));
}

}  // namespace

std::string manual_page(const Command& program, const std::string& version) {
  std::string text = ".TH MPSBENCH 1 \"\" \"" + escaped(version) + "\"\n";
  text += section("NAME") + "mpsbench \\- benchmark of deep\\-learning training and inference\n";
  text += section("SYNOPSIS") + bold("mpsbench") + " " + italic("command") + " [" + italic("options") + "]\n";
  text += section("DESCRIPTION") + escaped(program.help) + "\n";
  for (const Argument& option : program.options) text += option_text(option);
  text += section("COMMANDS");
  for (const Command& command : program.commands) text += command_text(command);
  return text + section("\"EXIT STATUS\"") + as_written(program.footer);
}

void add_man_command(CLI::App& app, std::function<base::ExitCode()>& chosen) {
  app.add_subcommand("man", "Print the manual page, in roff")->callback([&app, &chosen] {
    chosen = [&app] {
      std::fputs(manual_page(command_tree(app), "mpsbench " + schema::tool_info().version).c_str(), stdout);
      return base::ExitCode::ok;
    };
  });
}

}  // namespace mpsbench::cli
