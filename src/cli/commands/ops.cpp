#include "cli/commands/ops.hpp"

#include "base/resources.hpp"
#include "run/default_threads.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace mpsbench::cli {

CLI::App* add_ops_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("ops", "Time single operations on each device: products, convolutions, copies, ...");
  command->allow_extras();
  command->footer(
      "Runs mpsbench-ops, a Google Benchmark program: matrix products, convolution, attention, norms,\n"
      "pooling, activations, their backward passes, memory bandwidth, copies, launch and synchronise cost.\n"
      "\n"
      "  --device NAME,...           auto, all, or names that `mpsbench list devices` shows (default: all)\n"
      "  --threads N                 threads inside an operation (default: as of run)\n"
      "  --benchmark_list_tests      the operations, one a line\n"
      "  --benchmark_filter=REGEX    only these\n"
      "  --benchmark_format=FORMAT   console, json or csv\n"
      "  --benchmark_out=FILE, --benchmark_min_time, --benchmark_repetitions=N, ...: as of Google Benchmark");
  return command;
}

base::ExitCode run_ops(const std::vector<std::string>& words) {
  std::vector<std::string> all{base::ops_program().string(), "--threads",
                               std::to_string(run::default_threads())};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  const std::string reason = std::error_code(errno, std::generic_category()).message();
  throw base::usage_error("the program " + all[0] + " cannot be started: " + reason);
}

}  // namespace mpsbench::cli
