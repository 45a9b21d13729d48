#include "cli/commands/ops.hpp"

#include "base/resources.hpp"
#include "run/default_threads.hpp"
#include "run/report_file.hpp"
#include "supervise/launcher.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace mpsbench::cli {
namespace {

// Returns the formats of Google Benchmark.
Printed printed_ops() {
  return {{"table", "csv", "json"}};
}

// Returns -f and -o as options of Google Benchmark. With a file, its table still goes to stdout.
std::vector<std::string> output_words(const OutputChoice& choice) {
  const ChosenOutput chosen = chosen_output(choice, printed_ops());
  const std::string name = chosen.format->name == "table" ? "console" : chosen.format->name;
  if (chosen.is_stdout()) return {"--benchmark_format=" + name};
  return {"--benchmark_out=" + chosen.file, "--benchmark_out_format=" + name};
}

}  // namespace

CLI::App* add_ops_command(CLI::App& app, OpsOptions& options) {
  CLI::App* command = app.add_subcommand(
      "ops", "Time single operations on each device: matrix products, convolutions, copies, ...");
  command->allow_extras();
  add_output_options(*command, options.output, printed_ops());
  command->footer(
      "Runs mpsbench-ops, a Google Benchmark program: matrix products, convolution, attention, norms,\n"
      "pooling, activations, their backward passes, memory bandwidth, copies, launch and synchronise cost,\n"
      "and all-reduce, all-gather and broadcast between GPUs.\n"
      "\n"
      "  --device NAME,...           auto, all, or names that `mpsbench list devices` shows (default: all)\n"
      "  --threads N                 threads inside an operation (default: the same as run)\n"
      "  --filter RE                 time only the operations whose names match this regular expression\n"
      "  --benchmark_list_tests      list the operations, one per line\n"
      "  --benchmark_filter=REGEX, --benchmark_min_time=0.5s, --benchmark_repetitions=N, ...: see Google "
      "Benchmark");
  return command;
}

base::ExitCode run_ops(const OpsOptions& options, const std::vector<std::string>& words) {
  if (!supervise::is_first_on_machine(::getenv)) return base::ExitCode::ok;
  constexpr std::string_view kOut = "--benchmark_out=";
  for (const std::string& word : words) {
    if (word.starts_with(kOut))
      run::refuse_document(word.substr(kOut.size()), "--benchmark_out", run::Writes::text);
  }
  std::vector<std::string> chosen;
  if (!options.output.format.empty() || !options.output.file.empty()) chosen = output_words(options.output);
  const std::filesystem::path program = base::ops_program();
  std::vector<std::string> all{program.string(), "--threads", std::to_string(run::default_threads())};
  all.insert(all.end(), chosen.begin(), chosen.end());
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<std::string> variables = base::variables_for(program);
  for (std::string& variable : variables) ::putenv(variable.data());
  ::execv(argv[0], argv.data());
  const std::string reason = std::error_code(errno, std::generic_category()).message();
  throw base::usage_error("the program " + all[0] + " cannot be started: " + reason);
}

}  // namespace mpsbench::cli
