#include "program.hpp"

#include "arguments.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "device/cpu.hpp"
#include "device/device.hpp"
#include "device/kinds.hpp"
#include "device/libtorch_info.hpp"
#include "measure/step.hpp"
#include "operation.hpp"
#include "suite/case_id.hpp"
#include "suite/host.hpp"
#include "window.hpp"
#include "worker/front.hpp"

#include <ATen/Parallel.h>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <regex>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mpsbench::ops {
namespace {

using base::ExitCode;

// Google Benchmark removes its own options from WORDS and keeps the first word. Any word left after that is
// unknown.
void hand_over(std::vector<std::string>& words) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') words.emplace_back("--benchmark_color=false");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  int count = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  benchmark::Initialize(&count, argv.data());
  if (count > 1) throw base::usage_error("unknown option or bad value '" + base::excerpt(argv[1]) + "'; see --help");
}

// Proves that the clock's synchronise waits for the device, as each launch of a worker does.
void require_synchronise(const device::Device& device, const std::string& name) {
  if (!device.asynchronous()) return;
  device::MatmulOperation operation(device);
  device::DeviceTimer timer(device);
  if (!measure::test_synchronise(operation, timer).passed)
    throw base::Error(base::ErrorKind::incomplete, name + ": " + measure::kSelfTestFailure);
}

void register_one(const Benchmark& one, Stopwatch& stopwatch) {
#ifndef __clang_analyzer__  // it reports the object that the library keeps as a leak
  benchmark::RegisterBenchmark(one.name.c_str(), [one, &stopwatch](benchmark::State& state) {
    stopwatch.measure(one, state);
  })->UseManualTime();
#endif
}

// Returns the groups of devices over which collective operations are timed: all CUDA devices if there are
// several, and two threads on the CPU.
std::vector<std::vector<const device::Device*>> connected_devices(const std::deque<device::Device>& devices) {
  std::vector<std::vector<const device::Device*>> groups;
  std::vector<const device::Device*> cuda;
  for (const device::Device& device : devices) {
    if (row_of(device.kind()).one_a_rank) cuda.push_back(&device);
    if (row_of(device.kind()).ranks_share) groups.push_back({&device, &device});
  }
  if (cuda.size() > 1) groups.push_back(std::move(cuda));
  return groups;
}

// Registers the operations whose names pass FILTER.
void register_all(const std::deque<device::Device>& devices, const std::vector<schema::DeviceId>& names,
                  const std::optional<std::string>& filter, Stopwatch& stopwatch) {
  std::vector<Benchmark> all;
  const auto add = [&](std::vector<Benchmark> more) { std::ranges::move(more, std::back_inserter(all)); };
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Target target{&devices[i], to_string(names[i])};
    add(function_benchmarks(target));
    add(transfer_benchmarks(target));
  }
  for (const auto& group : connected_devices(devices)) add(collective_benchmarks(group));
  if (filter) {
    const std::regex pattern = suite::case_filter(*filter);
    std::erase_if(all, [&](const Benchmark& one) { return !suite::passes(one.name, pattern); });
    if (all.empty())
      throw base::usage_error("--filter: no operation matches '" + *filter +
                              "'; --benchmark_list_tests lists all of them");
  }
  for (const Benchmark& one : all) register_one(one, stopwatch);
}

constexpr std::string_view kOwnBuild = "Library was built as DEBUG";

// Passes lines on to stderr, except that one.
class ErrorLines final : public std::streambuf {
 protected:
  int_type overflow(int_type character) override {
    if (character == traits_type::eof()) return character;
    line_ += traits_type::to_char_type(character);
    if (line_.back() != '\n') return character;
    if (line_.find(kOwnBuild) == std::string::npos) std::fputs(line_.c_str(), stderr);
    line_.clear();
    return character;
  }

 private:
  std::string line_;
};

// Writes to a text what goes into the file, but not the lines about the machine.
template <typename Reporter>
class FileReporter final : public Reporter {
 public:
  template <typename... Arguments>
  explicit FileReporter(std::ostream& text, Arguments... arguments) : Reporter(arguments...), text_(&text) {}

  bool ReportContext(const benchmark::BenchmarkReporter::Context& context) override {
    this->SetOutputStream(text_);  // the library has set its own
    this->SetErrorStream(&nowhere_);
    return Reporter::ReportContext(context);
  }

 private:
  std::ostream* text_;
  std::ostream nowhere_{nullptr};
};

std::unique_ptr<benchmark::BenchmarkReporter> file_reporter(const std::string& format, std::ostream& text) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  if (format == "csv") return std::make_unique<FileReporter<benchmark::CSVReporter>>(text);
#pragma GCC diagnostic pop
  if (format == "console")
    return std::make_unique<FileReporter<benchmark::ConsoleReporter>>(text, benchmark::ConsoleReporter::OO_None);
  return std::make_unique<FileReporter<benchmark::JSONReporter>>(text);
}

// Runs the registered operations, and writes FILE at the end if it is given. The lines about the machine go
// to stderr only, so that the file has nothing but CSV, JSON or the table. The warning that Google
// Benchmark's own package is a debug build is left out: it only counts and prints, and the clock is ours.
// Returns the number of operations that matched. Throws Error(incomplete) if the file cannot be written.
std::size_t run_benchmarks(const std::optional<FileOutput>& file) {
  ErrorLines lines;
  std::ostream errors(&lines);
  const std::unique_ptr<benchmark::BenchmarkReporter> shown(benchmark::CreateDefaultDisplayReporter());
  shown->SetErrorStream(&errors);
  if (!file) return benchmark::RunSpecifiedBenchmarks(shown.get());
  std::ostringstream text;
  const std::size_t matched = benchmark::RunSpecifiedBenchmarks(shown.get(), file_reporter(file->format, text).get());
  if (!text.view().empty()) base::write_file(file->file, text.view());
  return matched;
}

ExitCode measure(const Arguments& arguments) {
  if (arguments.front_pid && !worker::end_with_front(*arguments.front_pid))
    throw base::Error(base::ErrorKind::interrupted, "mpsbench, which started this program, has ended");
  if (arguments.threads) at::set_num_threads(static_cast<int>(*arguments.threads));
  std::vector<std::string> words{"mpsbench-ops", "--benchmark_min_time=0.2s"};
  words.insert(words.end(), arguments.others.begin(), arguments.others.end());
  words = benchmark_words(std::move(words));
  const std::optional<FileOutput> file = take_file_output(words);
  benchmark::SetDefaultTimeUnit(benchmark::kMicrosecond);  // before the options, which may set another
  hand_over(words);

  std::vector<schema::DeviceStatus> probed;
  const std::vector<schema::DeviceId> names =
      suite::resolve_devices(arguments.devices, [&]() -> const std::vector<schema::DeviceStatus>& {
        if (probed.empty()) probed = device::probe_devices();
        return probed;
      });
  std::deque<device::Device> devices;  // a deque, because benchmarks keep the devices' addresses
  for (const schema::DeviceId& name : names) {
    devices.push_back(device::Device::open(name));
    require_synchronise(devices.back(), to_string(name));
  }
  benchmark::AddCustomContext("libtorch", device::libtorch_info().version);
  benchmark::AddCustomContext("threads", std::to_string(at::get_num_threads()));

  Stopwatch stopwatch;
  register_all(devices, names, arguments.filter, stopwatch);
  const std::size_t matched = run_benchmarks(file);
  benchmark::Shutdown();  // removes the benchmarks while the stopwatch still exists
  if (matched == 0) throw base::usage_error("--benchmark_filter: no benchmark matches; see --benchmark_list_tests");
  return stopwatch.failures() == 0 ? ExitCode::ok : ExitCode::incomplete;
}

int fail(ExitCode code, const char* message) {
  std::fprintf(stderr, "mpsbench-ops: %s\n", message);
  return static_cast<int>(code);
}

}  // namespace

int run(int argc, char** argv) {
  device::keep_freed_memory();
  try {
    const Arguments arguments = parse_arguments({argv + 1, argv + argc});
    if (arguments.help) {
      std::fputs(kUsage, stdout);
      return static_cast<int>(ExitCode::ok);
    }
    const ExitCode code = measure(arguments);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.flush())
      return fail(ExitCode::incomplete, "stdout could not be written completely");
    return static_cast<int>(code);
  } catch (const base::Error& error) {
    return fail(base::exit_code(error.kind()), error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::incomplete, error.what());
  }
}

}  // namespace mpsbench::ops
