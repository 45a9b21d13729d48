#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "base/system_files.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "report/host/host_capture.hpp"
#include "report/metrics/thread_shortfall.hpp"
#include "run/plan/machine.hpp"
#include "run/plan/places.hpp"
#include "supervise/launch_runner.hpp"
#include "supervise/launcher.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

namespace mpsbench::cli {
namespace {

struct OpsOptions {
  OutputChoice output;
  CLI::App* command = nullptr;
};

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

// Says which variables about threads have no effect, or leave fewer threads or CPUs than THREADS. Only the
// worker knows the latter, so it is asked if such a variable is set.
void warn_of_variables(std::int64_t threads) {
  const std::map<std::string, std::string> environment = report::captured_environment();
  for (const std::string& text : run::ignored_thread_variables(environment, threads)) base::log::warn(text);
  const bool is_any_set = std::ranges::any_of(environment, [](const auto& variable) {
    const std::string& name = variable.first;
    return name != "OMP_NUM_THREADS" &&
           (name.starts_with("OMP_") || name.starts_with("GOMP_") || name.starts_with("KMP_"));
  });
  if (!is_any_set) return;
  const schema::WorkingThreads working =
      supervise::probe(base::worker_program(), nullptr, supervise::kProbeSeconds, threads).threads;
  const auto shortfall = report::thread_shortfall(working, threads, environment, base::allowed_cpus().size());
  if (shortfall) base::log::warn(shortfall->what + "; " + shortfall->cure);
}

base::ExitCode run_ops(const OpsOptions& options) {
  const std::vector<std::string> words = options.command->remaining();
  if (!supervise::is_first_on_machine(::getenv)) return base::ExitCode::ok;
  constexpr std::string_view kOut = "--benchmark_out=";
  for (const std::string& word : words) {
    if (word.starts_with(kOut)) run::refuse_document(word.substr(kOut.size()), "--benchmark_out", run::Writes::text);
  }
  std::vector<std::string> chosen;
  if (!options.output.format.empty() || !options.output.file.empty()) chosen = output_words(options.output);
  const std::filesystem::path program = base::ops_program();
  const std::int64_t threads = run::default_threads();
  // With threads of its own the program does what the words say.
  if (std::ranges::none_of(words, [](const std::string& word) { return word.starts_with("--threads"); }))
    warn_of_variables(threads);
  std::vector<std::string> all{program.string(), "--threads", std::to_string(threads)};
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

}  // namespace

void add_ops_command(CLI::App& app, Action& chosen) {
  const auto [command, options] = add_command(
      app, chosen, "ops", "Time single operations on each device: matrix products, convolutions, copies, ...", run_ops);
  options.command = &command;
  command.allow_extras();
  add_output_options(command, options.output, printed_ops());
  command.footer(
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
}

}  // namespace mpsbench::cli
