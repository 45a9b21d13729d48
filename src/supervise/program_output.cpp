#include "supervise/program_output.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "supervise/last_words.hpp"
#include "supervise/verdict.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

namespace mpsbench::supervise {
namespace {

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

// Describes the end if the processor refused to go on. The program's last words are then of something else.
std::string crash_of(const std::string& program, const WorkerEnd& end) {
  constexpr std::array kCrashSignals{SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
  const bool has_crashed =
      WIFSIGNALED(end.wait_status) && std::ranges::count(kCrashSignals, WTERMSIG(end.wait_status)) > 0;
  return has_crashed ? describe_end(end.wait_status, program) : "";
}

// Returns why END is a failure, or an empty text if the program ended well.
std::string what_went_wrong(const std::string& program, const WorkerEnd& end, const WorkerLimits& limits) {
  if (!end.spawn_error.empty()) return program + " cannot be started: " + end.spawn_error;
  if (end.stop == Stop::timeout)
    return program + " did not finish within " + base::format_duration(limits.timeout_seconds);
  if (end.stop == Stop::refused) return program + " wrote more output than expected";
  if (lost_gpu_work(end.stderr_tail)) return program + ": Metal aborted work on the GPU";
  const std::string how = describe_end(end.wait_status, program);
  if (WIFSIGNALED(end.wait_status) && WTERMSIG(end.wait_status) == SIGKILL)
    return how + "; the machine may have run out of memory";  // it had no time to say anything
  const std::string words = last_line(end.stderr_tail);
  return how.empty() || words.empty() ? how : how + ": " + base::excerpt(words);
}

}  // namespace

ProgramEnd run_program(WorkerCommand command, const WorkerLimits& limits, Interrupt& interrupt, LineSink& sink) {
  const std::string program = command.program.string();
  const WorkerEnd end = run_worker(std::move(command), limits, sink, &interrupt);
  if (end.stop == Stop::interrupted)
    throw base::Error(base::ErrorKind::interrupted, "stopped while " + program + " ran");
  return {what_went_wrong(program, end, limits), end.stderr_tail, end.stop == Stop::timeout, crash_of(program, end)};
}

std::string program_output(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                           const WorkerLimits& limits, Interrupt& interrupt) {
  Collector collector;
  const ProgramEnd end = run_program({program, "", arguments}, limits, interrupt, collector);
  if (!end.problem.empty()) throw base::Error(base::ErrorKind::incomplete, with_cure(end.problem));
  return collector.text;
}

}  // namespace mpsbench::supervise
