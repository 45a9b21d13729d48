#include "supervise/verdict.hpp"

#include "base/units.hpp"

#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <utility>

namespace mpsbench::supervise {
namespace {

using schema::Failure;
using schema::Status;

std::string signal_name(int number) {
  constexpr std::array<std::pair<int, const char*>, 10> kNames{{{SIGABRT, "SIGABRT"},
                                                                {SIGBUS, "SIGBUS"},
                                                                {SIGFPE, "SIGFPE"},
                                                                {SIGHUP, "SIGHUP"},
                                                                {SIGILL, "SIGILL"},
                                                                {SIGINT, "SIGINT"},
                                                                {SIGKILL, "SIGKILL"},
                                                                {SIGSEGV, "SIGSEGV"},
                                                                {SIGTERM, "SIGTERM"},
                                                                {SIGTRAP, "SIGTRAP"}}};
  for (const auto& [value, name] : kNames) {
    if (value == number) return name;
  }
  return "signal " + std::to_string(number);
}

bool killed(int wait_status) {
  return WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
}

bool ended_well(const WorkerEnd& end) {
  return WIFEXITED(end.wait_status) && WEXITSTATUS(end.wait_status) == 0;
}

std::string where(const Heard& heard) {
  if (!heard.libtorch) return " at its start";
  if (heard.verdict()) return " after its last event";
  return heard.phase ? " in phase " + to_string(*heard.phase) : " before its first phase";
}

struct Outcome {
  Status status;
  Failure failure;
};

Outcome crashed(std::string kind, std::string message) {
  return {Status::crashed, {std::move(kind), std::move(message), ""}};
}

Outcome bad_end(const Heard& heard, const WorkerEnd& end, const Circumstances& circumstances) {
  std::string message = describe_end(end.wait_status) + where(heard);
  const std::string words = heard.libtorch ? "" : last_line(end.stderr_tail);  // of the system's loader
  if (!words.empty()) message += ": " + words;
  if (!killed(end.wait_status)) return crashed(WIFSIGNALED(end.wait_status) ? "signal" : "exit", message);
  if (circumstances.oom_kill_seen) {
    return {Status::oom, {"oom", "out of memory: the kernel killed the worker" + where(heard), ""}};
  }
  return crashed("signal", message + "; the machine may have run out of memory");
}

std::optional<Outcome> gpu_outcome(const std::string& stderr_tail) {
  if (!lost_gpu_work(stderr_tail)) return std::nullopt;
  if (stderr_tail.find("OutOfMemory") != std::string::npos)
    return Outcome{Status::oom,
                   {"oom", "out of memory: Metal gave up work of the GPU; lower --batch-size", ""}};
  return Outcome{Status::failed,
                 {"lost_work", "Metal gave up work of the GPU, so neither results nor times are true", ""}};
}

// Nullopt: the worker's result stands.
std::optional<Outcome> outcome(const Heard& heard, const WorkerEnd& end, const Circumstances& circumstances) {
  if (!end.spawn_error.empty()) {
    return crashed("spawn", "cannot start " + circumstances.worker + ": " + end.spawn_error);
  }
  if (end.stop == Stop::timeout) {
    return Outcome{Status::timeout,
                   {"timeout",
                    "not done within " + base::format_duration(circumstances.timeout_seconds) + ", stopped" +
                        where(heard) + "; --timeout allows more",
                    ""}};
  }
  if (!heard.protocol_error.empty()) return crashed("protocol", heard.protocol_error);
  if (heard.failure) return Outcome{heard.failure->status, heard.failure->failure};
  const bool is_whole = heard.result && ended_well(end);
  if (end.stop == Stop::interrupted && !is_whole) {
    return Outcome{Status::interrupted, {"interrupted", "stopped by the user" + where(heard), ""}};
  }
  if (end.stop == Stop::peer && !is_whole) {
    return Outcome{Status::interrupted, {"peer", "stopped" + where(heard) + ": another rank had failed", ""}};
  }
  if (!ended_well(end)) return bad_end(heard, end, circumstances);
  if (end.half_line) return crashed("protocol", "the worker ended in the middle of an event");
  if (!heard.libtorch) return crashed("protocol", "the worker ended without a word");
  if (!heard.result) return crashed("protocol", "the worker ended without a result" + where(heard));
  if (heard.result->status == Status::ok) return gpu_outcome(end.stderr_tail);
  return std::nullopt;
}

}  // namespace

bool lost_gpu_work(const std::string& stderr_tail) {
  return stderr_tail.find("command buffer exited with error status") != std::string::npos;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t before = text.find_last_of('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, end + 1 - begin);
}

std::string describe_end(int wait_status, const std::string& who) {
  if (WIFSIGNALED(wait_status)) return who + " was ended by " + signal_name(WTERMSIG(wait_status));
  if (WEXITSTATUS(wait_status) == 0) return "";
  return who + " ended with exit code " + std::to_string(WEXITSTATUS(wait_status));
}

schema::Launch conclude(const Heard& heard, const WorkerEnd& end, const Circumstances& circumstances) {
  schema::Launch launch = heard.result.value_or(schema::Launch{});
  if (auto bad = outcome(heard, end, circumstances)) {
    launch.status = bad->status;
    launch.failure = std::move(bad->failure);
  }
  if (launch.failure && launch.failure->detail.empty()) launch.failure->detail = end.stderr_tail;
  if (launch.setup_seconds && launch.setup_seconds->load <= 0)
    launch.setup_seconds->load = heard.load_seconds;
  if (!launch.peak_resident_bytes && end.peak_resident_bytes > 0) {
    launch.peak_resident_bytes = end.peak_resident_bytes;
  }
  return launch;
}

}  // namespace mpsbench::supervise
