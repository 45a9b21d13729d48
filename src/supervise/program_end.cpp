#include "supervise/program_end.hpp"

#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/units.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <ranges>
#include <sstream>
#include <string_view>
#include <utility>

namespace mpsbench::supervise {
namespace {

std::string signal_name(int number) {
  constexpr std::array<std::pair<int, const char*>, 13> kNames{
      {{SIGABRT, "SIGABRT"},
       {SIGBUS, "SIGBUS"},
       {SIGFPE, "SIGFPE"},
       {SIGHUP, "SIGHUP"},
       {SIGILL, "SIGILL"},
       {SIGINT, "SIGINT"},
       {SIGKILL, "SIGKILL"},
       {SIGSEGV, "SIGSEGV"},
       {SIGTERM, "SIGTERM"},
       {SIGTRAP, "SIGTRAP"},
       {SIGSYS, "SIGSYS"},
       {SIGXCPU, "SIGXCPU, the limit of CPU time (ulimit -t)"},
       {SIGXFSZ, "SIGXFSZ, the limit of a file's size (ulimit -f)"}}};
  for (const auto& [value, name] : kNames) {
    if (value == number) return name;
  }
  return "signal " + std::to_string(number);
}

// What a line contains that tells why a program ended.
struct Reason {
  std::string_view words;
  const char* cure = "";      // empty: none is known
  bool is_of_openmp = false;  // a variable may be to blame
};

constexpr const char* kMoreThreads =
    "allow more processes and threads (ulimit -u, a container's limit of pids), or use fewer --threads";
constexpr const char* kMoreMemory = "allow more memory (ulimit -v, a container's limit), or lower --batch-size";
constexpr const char* kOtherBuild = "build mpsbench again with the LibTorch that is installed";
constexpr const char* kDriver = "nvidia-smi shows whether the driver works; check CUDA_VISIBLE_DEVICES, too";

// The first that fits counts.
constexpr Reason kReasons[] = {
    {"Thread creation failed", kMoreThreads, true},
    {"unable to allocate necessary resources for OMP thread", kMoreThreads, true},
    {"Resource temporarily unavailable", kMoreThreads},
    {"failed to map segment from shared object", kMoreMemory},
    {"Cannot allocate memory", kMoreMemory},
    {"cannot allocate memory", kMoreMemory},
    {"undefined symbol", kOtherBuild},
    {"symbol lookup error", kOtherBuild},
    {"Symbol not found", kOtherBuild},
    {"version `", "build mpsbench on this machine, or use a system with newer libraries"},
    {"error while loading shared libraries",
     "install this library, or name its folder in LD_LIBRARY_PATH; `mpsbench doctor` says more"},
    {"Library not loaded", "install this library, or build mpsbench again; `mpsbench doctor` says more"},
    {"driver version is insufficient", "update the NVIDIA driver, or use a LibTorch for an older CUDA"},
    {"CUDA driver initialization failed", kDriver},
    {"CUDA unknown error", kDriver},
    {"no CUDA-capable device", kDriver},
    {"system not yet initialized", kDriver},
    {"No space left on device", "free some space, also in /dev/shm and the folder for temporary files (TMPDIR)"},
    {"Too many open files", "allow more open files (ulimit -n)"},
    {"SIGILL", "the CPU lacks an instruction that the program uses: build it on this machine"},
    {"CUDA error"},
    {"what():"},
    {"terminate called"},
    {"libc++abi:"},
    {"libgomp:", "", true},
    {"OMP: Error", "", true},
    {"AddressSanitizer:"},
    {"ThreadSanitizer:"},
    {"Assertion"},
    {"INTERNAL ASSERT FAILED"},
    {"*** stack smashing detected ***"},
    {"corrupted"},
    {"double free"},
    {"invalid pointer"}};

const Reason* reason_in(std::string_view text) {
  const auto* found = std::ranges::find_if(
      kReasons, [&](const Reason& reason) { return text.find(reason.words) != std::string_view::npos; });
  return found == std::end(kReasons) ? nullptr : found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    lines.push_back(line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin));
  }
  return lines;
}

bool is_beside_the_point(const std::string& line) {
  return line.starts_with("[W") || line.find("arning:") != std::string::npos || line.starts_with("frame #") ||
         line.starts_with("Exception raised from");
}

constexpr std::size_t kMostBytes = 16U << 20U;

class Collector : public LineSink {
 public:
  bool on_line(const std::string& line) override {
    text += line + "\n";
    return text.size() <= kMostBytes;
  }
  void on_line_too_long() override {}

  std::string text;
};

// Returns why END is a failure, or an empty text if the program ended well.
std::string what_went_wrong(const std::string& program, const WorkerEnd& end, const WorkerLimits& limits) {
  if (!end.spawn_error.empty()) return program + " cannot be started: " + end.spawn_error;
  if (end.stop == Stop::timeout)
    return program + " did not finish within " + base::format_duration(limits.timeout_seconds);
  if (end.stop == Stop::refused) return program + " wrote more output than expected";
  if (lost_gpu_work(end.stderr_tail)) return program + ": Metal aborted work on the GPU";
  const std::string how = describe_end(end.wait_status, program);
  if (was_killed_by(end, SIGKILL))
    return how + "; the machine may have run out of memory";  // it had no time to say anything
  const std::string words = last_line(end.stderr_tail);
  return how.empty() || words.empty() ? how : how + ": " + base::excerpt(words);
}

}  // namespace

bool was_killed_by(const WorkerEnd& end, int signal) {
  return WIFSIGNALED(end.wait_status) && WTERMSIG(end.wait_status) == signal;
}

std::string describe_end(int wait_status, const std::string& who) {
  if (WIFSIGNALED(wait_status)) return who + " was killed by " + signal_name(WTERMSIG(wait_status));
  if (WEXITSTATUS(wait_status) == 0) return "";
  return who + " ended with exit code " + std::to_string(WEXITSTATUS(wait_status));
}

bool lost_gpu_work(const std::string& stderr_tail) {
  return stderr_tail.find("command buffer exited with error status") != std::string::npos;
}

std::string last_line(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  return lines.empty() ? "" : lines.back();
}

std::string telling_line(const std::string& stderr_tail) {
  constexpr std::string_view kWhat = "what():";
  for (const std::string& line : lines_of(stderr_tail) | std::views::reverse) {
    if (is_beside_the_point(line) || reason_in(line) == nullptr) continue;
    return line.starts_with(kWhat) ? line.substr(std::min(line.find_first_not_of(' ', kWhat.size()), line.size()))
                                   : line;
  }
  return "";
}

std::string last_words(const std::string& stderr_tail) {
  std::string told = telling_line(stderr_tail);
  if (!told.empty()) return told;
  for (const std::string& line : lines_of(stderr_tail) | std::views::reverse) {
    if (!is_beside_the_point(line)) return line;
  }
  return "";
}

std::string with_cure(const std::string& message, bool is_at_start) {
  if (message.find("; ") != std::string::npos) return message;
  const Reason* reason = reason_in(message);
  const std::string cure = reason == nullptr ? "" : reason->cure;
  if ((reason != nullptr && reason->is_of_openmp) || (is_at_start && cure.empty())) {
    if (const std::string blamed = base::blame_openmp(message, cure); !blamed.empty()) return blamed;
  }
  return cure.empty() ? message : message + "; " + cure;
}

ProgramEnd run_program(WorkerCommand command, const WorkerLimits& limits, Interrupt& interrupt, LineSink& sink) {
  const std::string program = command.program.string();
  const WorkerEnd end = run_worker(std::move(command), limits, sink, &interrupt);
  if (end.stop == Stop::interrupted)
    throw base::Error(base::ErrorKind::interrupted, "stopped while " + program + " ran");
  // If the processor refused to go on, the program's last words are of something else.
  const bool has_crashed = std::ranges::any_of(std::array{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP},
                                               [&](int number) { return was_killed_by(end, number); });
  return {what_went_wrong(program, end, limits), end.stderr_tail, end.stop == Stop::timeout,
          has_crashed ? describe_end(end.wait_status, program) : ""};
}

std::string program_output(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                           const WorkerLimits& limits, Interrupt& interrupt) {
  Collector collector;
  const ProgramEnd end = run_program({program, "", arguments}, limits, interrupt, collector);
  if (!end.problem.empty()) throw base::Error(base::ErrorKind::incomplete, with_cure(end.problem));
  return collector.text;
}

}  // namespace mpsbench::supervise
